import { expect, test } from 'vitest';

import type { TrainJob } from '@/api/train_jobs';

import { groupedRows } from './grouping';

// Grouping looks at nothing of a job but what the getters do.
const job = (train_id: string, points: number): TrainJob => ({ train_id, points }) as TrainJob;
const jobs = [job('./b_1', 1), job('./a_1', 10), job('./b_2', 3), job('./', 7)];
const letter = (one: TrainJob): string | null => /[a-z]/.exec(one.train_id)?.[0] ?? null;
const averaged = new Map([['points', (one: TrainJob) => one.points]]);

test('jobs stand below the value they share, in the order they came; those without one last', () => {
  expect(groupedRows(jobs, letter, averaged, new Set()).map((row) => row.key)).toEqual([
    'group a', './a_1', 'group b', './b_1', './b_2', 'group ', './',
  ]);
});

test('a group has the mean and the deviation of its jobs, and may be closed', () => {
  const rows = groupedRows(jobs, letter, averaged, new Set(['b']));
  expect(rows.map((row) => row.key)).toEqual(['group a', './a_1', 'group b', 'group ', './']);
  const group = rows[2];
  expect(group?.kind === 'group' && group.means.get('points')).toEqual({ mean: 2, deviation: Math.SQRT2, count: 2 });
});
