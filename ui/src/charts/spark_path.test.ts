import { expect, test } from 'vitest';

import { sparkPath } from './spark_path';

test('values fill the box, and non-finite ones are gaps', () => {
  expect(sparkPath([0, 2, NaN, 1, 2], 100, 20)).toBe('M0 20L25 0M75 10L100 0');
});

test('a single or constant value is a level line', () => {
  expect(sparkPath([3], 100, 20)).toBe('M0 10H100');
  expect(sparkPath([3, 3], 100, 20)).toBe('M0 10L100 10');
  expect(sparkPath([NaN], 100, 20)).toBe('');
});

test('keeps a spike among thousands of points', () => {
  const values = new Float64Array(10_000);
  values[7_777] = 5;
  expect(sparkPath(values, 100, 20)).toContain(' 0L');
  expect(sparkPath(values, 100, 20).length).toBeLessThan(4_000);
});

test('a column that begins with a non-finite value keeps its other values', () => {
  const values = new Float64Array(10_000).fill(NaN);
  values[50] = 1;
  values[51] = Infinity;
  values[9_950] = 3;
  expect(sparkPath(values, 100, 20).match(/[ML]/g)?.length).toBeGreaterThan(1);
});
