import type { TrainJob } from '@/api/train_jobs';
import { addTo } from '@/base/grouped';
import type { Value } from '@/base/job_query';

export const STATISTICS = ['avg', 'median', 'min', 'max'] as const;
export type Statistic = (typeof STATISTICS)[number];

/** A line of the chart and a row of the table: a run, or a group of runs. */
export interface SweepRow {
  readonly key: string;
  readonly jobs: readonly TrainJob[];
}

/** Groups in the order of their first runs; without `groupOf`, a row per run. */
export function rowsOf(
  jobs: readonly TrainJob[],
  groupOf: ((job: TrainJob) => string) | null,
): SweepRow[] {
  if (groupOf === null) return jobs.map((job) => ({ key: job.train_id, jobs: [job] }));
  const groups = new Map<string, TrainJob[]>();
  for (const job of jobs) addTo(groups, groupOf(job), job);
  return [...groups].map(([key, members]) => ({ key, jobs: members }));
}

/** The value of a group: the one that all runs have, or the statistic of a result. */
export function groupValue(
  values: readonly Value[],
  isResult: boolean,
  statistic: Statistic,
): Value {
  const [first] = values;
  if (values.every((value) => Object.is(value, first))) return first;
  if (!isResult) return undefined;
  const numbers = values.filter(
    (value): value is number => typeof value === 'number' && !Number.isNaN(value),
  );
  return numbers.length > 0 ? statisticOf(numbers, statistic) : undefined;
}

function statisticOf(numbers: readonly number[], statistic: Statistic): number {
  switch (statistic) {
    case 'min':
      return numbers.reduce((least, value) => Math.min(least, value));
    case 'max':
      return numbers.reduce((most, value) => Math.max(most, value));
    case 'avg':
      return numbers.reduce((mean, value, i) => mean + (value - mean) / (i + 1), 0);
    case 'median': {
      const sorted = [...numbers].sort((a, b) => a - b);
      const [low, high] = [(sorted.length - 1) >> 1, sorted.length >> 1];
      return ((sorted[low] ?? NaN) + (sorted[high] ?? NaN)) / 2;
    }
  }
}
