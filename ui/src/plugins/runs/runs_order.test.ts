import { expect, test } from 'vitest';

import type { TrainJob } from '@/api/train_jobs';

import { readOrder, sortJobs, writeOrder } from './runs_order';

const job = (train_id: string, more: Partial<TrainJob>): TrainJob => ({
  train_id, update_timestamp: 0, create_timestamp: 0, cache_status: 'CACHED', formats: [], display_name: '',
  points: 0, bytes: 0, version: 1, is_integrity: true, problems: [], problem_count: 0, plugins: {}, ...more,
});
const jobs = [
  job('./run_2', { points: 10, plugins: { scalar: ['a', 'b'] } }),
  job('./run_10', { points: 10, update_timestamp: 5 }),
  job('./run_1', { points: 99 }),
];
const ids = (list: TrainJob[]): string[] => list.map(({ train_id }) => train_id);

test('sorts by any column, up and down', () => {
  expect(ids(sortJobs(jobs, { column: 'name', down: false }))).toEqual(['./run_1', './run_2', './run_10']);
  expect(ids(sortJobs(jobs, { column: 'updated', down: true }))[0]).toBe('./run_10');
  expect(ids(sortJobs(jobs, { column: 'tags', down: true }))[0]).toBe('./run_2');
});

test('equal jobs stay as they came', () => {
  expect(ids(sortJobs(jobs, { column: 'points', down: false }))).toEqual(['./run_2', './run_10', './run_1']);
});

test.each([
  { column: 'updated', down: true }, { column: 'updated', down: false }, { column: 'name', down: false },
  { column: 'problems', down: true },
] as const)('%j goes into the URL and back', (order) => {
  expect(readOrder(writeOrder(order))).toEqual(order);
});

test('the usual order is not written, nonsense is the usual order', () => {
  expect(writeOrder({ column: 'updated', down: true })).toBeUndefined();
  expect(readOrder('sideways')).toEqual({ column: 'updated', down: true });
});
