/** Whether a job is being trained, as far as its log tells. */
export type JobState = 'running' | 'stalled' | 'finished' | 'failed';

/** Seconds without news after which a job is no longer taken to be running, and to be over. */
const RUNNING_WITHIN = 300;
const OVER_AFTER = 3_600;

/** What a state is told by: the last news of a job, and what its log says of its end, if anything. */
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
