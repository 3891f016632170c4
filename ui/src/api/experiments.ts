import { getJson } from './client';

export interface Experiment {
  readonly experiment_id: string;
  readonly name: string;
  readonly url: string;
  readonly shown: boolean;
  readonly summary_base_dir: string;
}

export const fetchExperiments = async (): Promise<readonly Experiment[]> =>
  (await getJson<{ experiments: readonly Experiment[] }>('experiments')).experiments;
