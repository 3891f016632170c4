import { getJson, postJson } from './client';
import { rowsOf, type PackedRows } from './packed_columns';
import type { Finding, LoadStatus } from './status';
import { logTag } from './tags';

export type CacheStatus = 'NOT_IN_CACHE' | 'CACHING' | 'CACHED';

export interface TrainJob {
  readonly train_id: string;
  readonly update_timestamp: number;
  readonly create_timestamp: number;
  readonly cache_status: CacheStatus;
  readonly formats: readonly string[];
  readonly summary_files: number;
  readonly graph_files: number;
  readonly lineage_files: number;
  readonly display_name: string;
  /** `success`, `failure`, `running` or `unknown`; null if the log has none. */
  readonly session_status: string | null;
  readonly points: number;
  readonly bytes: number;
  /** Increases with every change of this job. */
  readonly version: number;
  readonly problems: readonly Finding[];
  readonly problem_count: number;
  /** plugin_name -> tags as logged; empty for jobs that are not loaded. */
  readonly plugins: Readonly<Record<string, readonly string[]>>;
}

export interface TrainJobPage {
  readonly name: string;
  readonly total: number;
  readonly load_status: LoadStatus;
  readonly train_jobs: readonly TrainJob[];
}

export async function fetchTrainJobs(page: number, limit: number): Promise<TrainJobPage> {
  const answer = await getJson<TrainJobPage>('datavisual/train-jobs', { offset: page, limit });
  return { ...answer, train_jobs: answer.train_jobs.map(withLoggedTags) };
}

export interface AllTrainJobs {
  readonly load_status: LoadStatus;
  readonly data_version: number;
  readonly train_jobs: readonly TrainJob[];
}

/** All jobs, last updated first. Equal cells are shared. */
export async function fetchAllTrainJobs(): Promise<AllTrainJobs> {
  const { load_status, data_version, columns } = await getJson<
    AllTrainJobs & { readonly columns: PackedRows<TrainJob> }
  >('datavisual/train-job-columns');
  return { load_status, data_version, train_jobs: rowsOf(columns) };
}

export const loadTrainJobs = async (trainIds: readonly string[]): Promise<void> =>
  await postJson('datavisual/train-job-caches', { train_ids: trainIds });

function withLoggedTags(job: TrainJob): TrainJob {
  const plugins: Record<string, readonly string[]> = {};
  for (const [name, tags] of Object.entries(job.plugins)) {
    if (tags.length > 0) plugins[name] = tags.map((tag) => logTag(name, tag));
  }
  return { ...job, plugins };
}
