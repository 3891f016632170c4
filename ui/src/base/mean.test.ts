import { expect, test } from 'vitest';

import { meanOf } from './mean';

test('mean and deviation use only finite numbers', () => {
  const found = meanOf([1, 2, 3, 4, NaN, null, 'x', Infinity]);
  expect(found?.mean).toBeCloseTo(2.5, 12);
  expect(found?.deviation).toBeCloseTo(Math.sqrt(5 / 3), 12);
  expect(found?.count).toBe(4);
});

test('large numbers with small differences keep their deviation', () => {
  expect(meanOf([1e9, 1e9 + 1, 1e9 + 2])?.deviation).toBeCloseTo(1, 9);
});

test('one number has no deviation; no numbers have no mean', () => {
  expect(meanOf([7])).toEqual({ mean: 7, deviation: 0, count: 1 });
  expect(meanOf([null, NaN])).toBeNull();
});
