import { expect, test } from 'vitest';

import { sparkPath } from './spark_path';

test('values fill the box, and what is not finite is a gap', () => {
  expect(sparkPath([0, 2, NaN, 1, 2], 100, 20)).toBe('M0 20L25 0M75 10L100 0');
});

test('a value alone, and one that never changes, is a level line', () => {
  expect(sparkPath([3], 100, 20)).toBe('M0 10H100');
  expect(sparkPath([3, 3], 100, 20)).toBe('M0 10L100 10');
  expect(sparkPath([NaN], 100, 20)).toBe('');
});

test('a spike among thousands is there', () => {
  const values = new Float64Array(10_000);
  values[7_777] = 5;
  expect(sparkPath(values, 100, 20)).toContain(' 0L');
  expect(sparkPath(values, 100, 20).length).toBeLessThan(4_000);
});

test('a column that begins with what is no number keeps its others', () => {
  const values = new Float64Array(10_000).fill(NaN);
  values[50] = 1;
  values[51] = Infinity;
  values[9_950] = 3;
  expect(sparkPath(values, 100, 20).match(/[ML]/g)?.length).toBeGreaterThan(1);
});
