export type JobState = 'running' | 'stalled' | 'finished' | 'failed';

/** Seconds without updates until a job counts as stalled, then as finished. */
const RUNNING_WITHIN = 300;
const OVER_AFTER = 3_600;

export interface JobSigns {
  readonly update_timestamp: number;
  readonly session_status: string | null;
}

export function jobState(job: JobSigns, now: number): JobState {
  if (job.session_status === 'failure') return 'failed';
  if (job.session_status === 'success') return 'finished';
  const silent = now - job.update_timestamp;
  if (silent < RUNNING_WITHIN) return 'running';
  return silent < OVER_AFTER ? 'stalled' : 'finished';
}

/** Whether a run may log more. */
export const isUnfinished = (state: JobState): boolean =>
  state === 'running' || state === 'stalled';
