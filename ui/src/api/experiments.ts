import { getJson } from './client';

/** One of the experiments that the server shows. */
export interface Experiment {
  readonly experiment_id: string;
  readonly name: string;
  /** Of its page, seen from this one. */
  readonly url: string;
  /** Whether this page is its. */
  readonly shown: boolean;
  readonly summary_base_dir: string;
}

export async function fetchExperiments(): Promise<readonly Experiment[]> {
  return (await getJson<{ experiments: readonly Experiment[] }>('experiments')).experiments;
}
