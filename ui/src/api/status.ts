import { getJson } from './client';

export type LoadStatus = 'init' | 'loading' | 'loaded';

/** Something wrong in a log: where, and what was lost. */
export interface Finding {
  readonly kind: string;
  readonly path: string;
  readonly offset: number | null;
  readonly detail: string;
  readonly lost_records: number;
}

/** The state of the whole base dir. */
export interface Status {
  readonly version: string;
  readonly scanner: string;
  readonly summary_base_dir: string;
  readonly name: string;
  readonly load_status: LoadStatus;
  readonly train_jobs: number;
  readonly loaded_train_jobs: number;
  readonly files: number;
  readonly points: number;
  readonly bytes: number;
  readonly bytes_read: number;
  readonly watching: string;
  readonly reload_interval: number;
  /** Grows with every change of any job. */
  readonly data_version: number;
  /** Of the base dir itself. */
  readonly problems: readonly Finding[];
  /** Of everything: files, jobs, base dir. */
  readonly problem_count: number;
}

export function fetchStatus(): Promise<Status> {
  return getJson<Status>('status');
}
