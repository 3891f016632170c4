import type { TrainJob } from '@/api/train_jobs';
import { naturalOrder } from '@/base/natural_order';

export const COLUMNS = ['name', 'updated', 'formats', 'tags', 'points', 'size', 'problems'] as const;

/** How the table of runs is sorted. */
export interface Order {
  readonly column: (typeof COLUMNS)[number];
  readonly down: boolean;
}

/** Number of tags of a job, all plugins together. */
export function tagCount(job: TrainJob): number {
  return Object.values(job.plugins).reduce((sum, tags) => sum + tags.length, 0);
}

/** A copy in this order; equal jobs stay as they came. */
export function sortJobs(jobs: readonly TrainJob[], { column, down }: Order): TrainJob[] {
  const sign = down ? -1 : 1;
  const compare = COMPARE[column];
  return [...jobs].sort((a, b) => sign * compare(a, b));
}

const COMPARE: Record<Order['column'], (a: TrainJob, b: TrainJob) => number> = {
  name: (a, b) => naturalOrder(a.train_id, b.train_id),
  updated: (a, b) => a.update_timestamp - b.update_timestamp,
  formats: (a, b) => naturalOrder(a.formats.join(), b.formats.join()),
  tags: (a, b) => tagCount(a) - tagCount(b),
  points: (a, b) => a.points - b.points,
  size: (a, b) => a.bytes - b.bytes,
  problems: (a, b) => a.problem_count - b.problem_count,
};

/** `-updated`: descending. The usual order is not written. */
export function writeOrder({ column, down }: Order): string | undefined {
  return column === 'updated' && down ? undefined : `${down ? '-' : ''}${column}`;
}

export function readOrder(text: string | undefined): Order {
  const down = text?.startsWith('-') ?? true;
  const column = COLUMNS.find((name) => name === text?.replace(/^-/, ''));
  return column ? { column, down } : { column: 'updated', down: true };
}
