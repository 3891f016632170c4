import { expect, test } from 'vitest';

import type { TrainJob } from '@/api/train_jobs';
import type { Value } from '@/base/job_query';

import { groupKey, summaryOf } from './grouping';

test('a group shows the shared value of its jobs, or mean and deviation of their numbers', () => {
  expect(summaryOf([1, 3], true)).toEqual({
    kind: 'mean',
    mean: 2,
    deviation: Math.SQRT2,
    count: 2,
  });
  expect(summaryOf([1, null, 3], true)).toMatchObject({ mean: 2, count: 2 });
  expect(summaryOf([2, 2], true)).toEqual({ kind: 'same', value: 2 });
  expect(summaryOf(['adam', 'adam'], false)).toEqual({ kind: 'same', value: 'adam' });
});

test('differing values without a meaningful mean have no summary', () => {
  expect(summaryOf([1, 2], false)).toBeUndefined();
  expect(summaryOf(['adam', 'sgd'], true)).toBeUndefined();
  expect(summaryOf(['adam', null], false)).toBeUndefined();
  expect(summaryOf([null, null], true)).toBeUndefined();
  expect(summaryOf([], true)).toBeUndefined();
});

test('groups of several values stay distinct for any values', () => {
  const key = (...values: Value[]): string | undefined =>
    groupKey(
      {} as TrainJob,
      values.map((value) => () => value),
    );
  expect(key('adam')).toBe('adam');
  expect(key(0.1)).toBe('0.1');
  expect(key(null)).toBeUndefined();
  expect(key('a', '')).toBe('["a",null]');
  expect(key(null, NaN)).toBeUndefined();
  expect(key('a","b', 'c')).not.toBe(key('a', 'b","c'));
  expect(key(1, 'x')).not.toBe(key('1', 'x'));
});
