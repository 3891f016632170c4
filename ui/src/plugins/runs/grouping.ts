import type { TrainJob } from '@/api/train_jobs';
import type { Value } from '@/base/job_query';
import { meanOf } from '@/base/mean';
import { naturalOrder } from '@/base/natural_order';

/** Jobs that have the same value, with the mean of each column over them. */
export interface JobGroup {
  readonly kind: 'group';
  readonly key: string;
  readonly value: string;
  readonly jobs: readonly TrainJob[];
  readonly means: ReadonlyMap<string, NonNullable<ReturnType<typeof meanOf>>>;
}

export type TableRow = JobGroup | { readonly kind: 'job'; readonly key: string; readonly job: TrainJob };

/** Sorted jobs as rows: by groups in natural order of their values, jobs without one last. */
export function groupedRows(
  jobs: readonly TrainJob[],
  valueOf: (job: TrainJob) => Value,
  averaged: ReadonlyMap<string, (job: TrainJob) => Value>,
  closed: ReadonlySet<string>,
): TableRow[] {
  const groups = new Map<string, TrainJob[]>();
  for (const job of jobs) {
    const value = valueOf(job);
    const name = value === null || value === undefined ? '' : String(value);
    const group = groups.get(name);
    if (group) group.push(job);
    else groups.set(name, [job]);
  }
  return [...groups]
    .sort(([a], [b]) => Number(a === '') - Number(b === '') || naturalOrder(a, b))
    .flatMap(([value, members]): TableRow[] => {
      const means = new Map<string, NonNullable<ReturnType<typeof meanOf>>>();
      for (const [id, get] of averaged) {
        const mean = meanOf(members.map(get));
        if (mean) means.set(id, mean);
      }
      const head: JobGroup = { kind: 'group', key: `group ${value}`, value, jobs: members, means };
      return closed.has(value) ? [head] : [head, ...plainRows(members)];
    });
}

export function plainRows(jobs: readonly TrainJob[]): TableRow[] {
  return jobs.map((job) => ({ kind: 'job', key: job.train_id, job }));
}
