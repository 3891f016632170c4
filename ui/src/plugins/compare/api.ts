import { postForJson } from '@/api/client';

/** Fields in which runs differ; `values` in the order of `train_ids`. */
export interface LineageDifference {
  readonly train_ids: readonly string[];
  readonly hyper_parameters: readonly DifferenceRow[];
  readonly user_defined: readonly DifferenceRow[];
  readonly dataset_graph: readonly DifferenceRow[];
  readonly metrics: readonly DifferenceRow[];
  readonly scalars: readonly DifferenceRow[];
}

export interface DifferenceRow {
  readonly name: string;
  readonly values: readonly unknown[];
}

export const diffLineages = (trainIds: readonly string[]): Promise<LineageDifference> =>
  postForJson('lineagemgr/diff', { train_ids: trainIds });
