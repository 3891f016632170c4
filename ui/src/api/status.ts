import { getJson } from './client';

export type LoadStatus = 'init' | 'loading' | 'loaded';

export interface Finding {
  readonly kind: string;
  readonly path: string;
  readonly offset: number | null;
  readonly detail: string;
  readonly lost_records: number;
}

/** Deliveries of new events since the server started. */
export interface WebhookStatus {
  readonly host: string;
  readonly sent: number;
  readonly waiting: number;
  readonly dropped: number;
  /** Of the last attempt; empty if it succeeded. */
  readonly problem: string;
}

export interface Status {
  readonly version: string;
  readonly scanner: string;
  readonly summary_base_dir: string;
  readonly name: string;
  readonly load_status: LoadStatus;
  readonly train_jobs: number;
  readonly files: number;
  readonly points: number;
  readonly bytes: number;
  readonly bytes_read: number;
  readonly watching: string;
  /** Increases with every change of a job. */
  readonly data_version: number;
  readonly problems: readonly Finding[];
  readonly problem_count: number;
  /** Null without `--webhook`. */
  readonly webhook?: WebhookStatus | null;
}

/** The version after `after`, once there is one; after a while, or if the server can't wait, the same. */
export async function fetchChange(after: number, signal: AbortSignal): Promise<number> {
  const answer = await getJson<{ data_version: number }>(
    'changes',
    { after: String(after) },
    signal,
  );
  return answer.data_version;
}

export const fetchStatus = (signal: AbortSignal): Promise<Status> =>
  getJson<Status>('status', {}, signal);
