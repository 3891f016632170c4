/** Whether a job is being trained, as far as its log tells. */
export type JobState = 'running' | 'stalled' | 'finished' | 'failed';

/** Seconds without news after which a job is no longer taken to be running, and to be over. */
const RUNNING_WITHIN = 300;
const OVER_AFTER = 3_600;

/** `sessionStatus` is what the log says of its end, if anything. */
export function jobState(updated: number, now: number, sessionStatus: unknown = null): JobState {
  if (sessionStatus === 'failure') return 'failed';
  if (sessionStatus === 'success') return 'finished';
  const silent = now - updated;
  if (silent < RUNNING_WITHIN) return 'running';
  return silent < OVER_AFTER ? 'stalled' : 'finished';
}
