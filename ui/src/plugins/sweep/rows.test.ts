import { expect, test } from 'vitest';

import { job } from '@/store/jobs_for_tests';

import { groupValue, rowsOf, STATISTICS } from './rows';

test('a row is a run, or the runs of a group', () => {
  const jobs = [job('a', 1), job('b', 2), job('c', 3)];
  expect(rowsOf(jobs, null).map(({ key }) => key)).toEqual(jobs.map(({ train_id: id }) => id));
  const grouped = rowsOf(jobs, ({ train_id: id }) => (id.endsWith('b') ? 'odd' : 'even'));
  expect(grouped.map(({ key, jobs: members }) => [key, members.length])).toEqual([
    ['even', 2],
    ['odd', 1],
  ]);
});

test('results of a group are summarized, without NaN', () => {
  const values = [1, 2, 9, NaN, null];
  expect(STATISTICS.map((statistic) => groupValue(values, true, statistic))).toEqual([4, 2, 1, 9]);
  expect(groupValue([1, 2], true, 'median')).toBe(1.5);
  expect(groupValue([NaN, null], true, 'avg')).toBeUndefined();
});

test('parameters of a group are those in which its runs agree', () => {
  expect(groupValue(['adam', 'adam'], false, 'avg')).toBe('adam');
  expect(groupValue([0.1, 0.2], false, 'avg')).toBeUndefined();
  expect(groupValue([0.1, null], false, 'avg')).toBeUndefined();
});
