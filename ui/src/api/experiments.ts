import { getJson } from './client';

export interface Experiment {
  readonly experiment_id: string;
  readonly name: string;
  readonly url: string;
  readonly shown: boolean;
  readonly summary_base_dir: string;
}

export async function fetchExperiments(): Promise<readonly Experiment[]> {
  return (await getJson<{ experiments: readonly Experiment[] }>('experiments')).experiments;
}
