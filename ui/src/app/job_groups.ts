import type { TrainJob } from '@/api/train_jobs';
import type { JobState } from '@/base/job_state';

export type PanelRow =
  | { readonly kind: 'group'; readonly key: JobState; readonly count: number }
  | { readonly kind: 'job'; readonly key: string; readonly job: TrainJob };

const STATES: readonly JobState[] = ['running', 'stalled', 'failed', 'finished'];

/** Runs below headings of their states, in the given order; no empty groups. */
export function panelRows(
  jobs: readonly TrainJob[],
  stateOf: (job: TrainJob) => JobState,
): PanelRow[] {
  const groups = new Map<JobState, TrainJob[]>(STATES.map((state) => [state, []]));
  for (const job of jobs) groups.get(stateOf(job))?.push(job);
  return STATES.flatMap((state) => group(state, groups.get(state) ?? []));
}

function group(key: JobState, jobs: readonly TrainJob[]): PanelRow[] {
  if (jobs.length === 0) return [];
  return [
    { kind: 'group', key, count: jobs.length },
    ...jobs.map((job): PanelRow => ({ kind: 'job', key: `job ${job.train_id}`, job })),
  ];
}
