import { getJson, postForJson, putJson } from './client';
import type { PackedColumn } from './packed_columns';

export type LineageValue = string | number | boolean | null;

/** What people note about a job; what is not noted is not there. */
export interface Annotation {
  /** Number of a mark, 1 to 10; 0: none. */
  readonly tag?: number;
  readonly remark?: string;
  readonly notes?: string;
  readonly hidden?: boolean;
  readonly pinned?: boolean;
  /** `#rrggbb` */
  readonly colour?: string | null;
  readonly group?: string;
}

/** An operation on a dataset, or on what the operations below it gave. */
export interface DatasetNode {
  readonly children?: readonly DatasetNode[];
  readonly op_type?: string;
  readonly [parameter: string]: unknown;
}

/** How a job was trained and what came of it. */
export interface LineageRow {
  readonly summary_dir: string;
  readonly model_lineage?: Readonly<Record<string, unknown>> & {
    readonly metric: Readonly<Record<string, LineageValue>>;
    readonly user_defined: Readonly<Record<string, LineageValue>>;
  };
  readonly dataset_graph?: DatasetNode;
  readonly added_info: Annotation;
  readonly session_status: string | null;
  readonly columns?: Readonly<Record<string, LineageValue>>;
}

export interface LineageAnswer {
  readonly count: number;
  readonly object: readonly LineageRow[];
  readonly annotations_unavailable?: string;
}

/** Jobs that meet a condition; `docs/lineage.md` has the language. */
export function searchLineages(
  question: Readonly<Record<string, unknown>>,
): Promise<LineageAnswer> {
  return postForJson('lineagemgr/lineages', question);
}

/** How all jobs were trained, by column; numbers that JSON cannot say are text. */
export interface LineageColumns {
  /** As new as the status was when it said so, at least. */
  readonly data_version: number;
  readonly train_id: readonly string[];
  readonly columns: Readonly<Record<string, PackedColumn<unknown>>>;
}

/** With these columns of scalars, `scalar/loss/last`; columns that nobody has anything in are left out. */
export function fetchLineageColumns(scalars: readonly string[]): Promise<LineageColumns> {
  return getJson<LineageColumns>('lineagemgr/lineage-columns', { column: scalars });
}

/** Note something about a job. */
export async function annotate(trainId: string, changes: Annotation): Promise<void> {
  await putJson('lineagemgr/lineages', { train_id: trainId }, changes);
}

/** How much a hyper-parameter has to do with a result. */
export interface ParameterImportance {
  readonly name: string;
  /** Size of Pearson's correlation. */
  readonly importance: number;
  readonly reason_code?: number;
  readonly spearman: number | null;
  readonly samples: number;
  readonly permutation: {
    readonly importance: number;
    readonly low: number;
    readonly high: number;
  } | null;
}

export interface ImportanceTarget {
  readonly name: string;
  readonly data: readonly (number | string | null)[];
  readonly buckets: readonly (readonly [left: number, width: number, count: number])[];
  readonly samples: number;
  readonly warning: string | null;
  readonly hyper_parameters: readonly ParameterImportance[];
}

export interface ImportanceAnswer {
  readonly metadata: {
    readonly train_ids: readonly string[];
    readonly permutation_available: boolean;
  };
  readonly targets: readonly ImportanceTarget[];
}

/** Importances over these jobs; the forest takes about a second per result. */
export function searchImportances(
  trainIds: readonly string[],
  forest: boolean,
): Promise<ImportanceAnswer> {
  return postForJson('optimizer/targets/search', { summary_dir: { in: trainIds }, forest });
}
