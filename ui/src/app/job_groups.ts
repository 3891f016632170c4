import type { TrainJob } from '@/api/train_jobs';
import { RUNNING_WITHIN } from '@/base/job_state';

export type PanelRow =
  | { readonly kind: 'group'; readonly key: 'running' | 'finished'; readonly count: number }
  | { readonly kind: 'job'; readonly key: string; readonly job: TrainJob };

/** Jobs under the headings of their states, each group in the order given; no empty groups. */
export function panelRows(jobs: readonly TrainJob[], now: number): PanelRow[] {
  const running: TrainJob[] = [];
  const finished: TrainJob[] = [];
  for (const job of jobs) {
    (now - job.update_timestamp < RUNNING_WITHIN ? running : finished).push(job);
  }
  return [...group('running', running), ...group('finished', finished)];
}

function group(key: 'running' | 'finished', jobs: readonly TrainJob[]): PanelRow[] {
  if (jobs.length === 0) return [];
  return [
    { kind: 'group', key, count: jobs.length },
    ...jobs.map((job): PanelRow => ({ kind: 'job', key: `job ${job.train_id}`, job })),
  ];
}
