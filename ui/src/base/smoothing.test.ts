import { expect, test } from 'vitest';

import { smooth } from './smoothing';

test('weight 0 changes nothing', () => {
  expect([...smooth(Float64Array.of(3, NaN, -1, Infinity), 0)]).toEqual([3, NaN, -1, Infinity]);
});

test('a constant stays what it is: the start is not pulled to zero', () => {
  for (const value of smooth(new Float64Array(50).fill(7), 0.97)) expect(value).toBeCloseTo(7, 12);
});

test('is the debiased average by its definition', () => {
  const [first = 0, second = 0] = smooth(Float64Array.of(1, 3), 0.6);
  expect(first).toBeCloseTo(1, 12);
  expect(second).toBeCloseTo((0.6 * 0.4 * 1 + 0.4 * 3) / (1 - 0.36), 12);
});

test('NaN is a gap, not the end', () => {
  const smoothed = smooth(Float64Array.of(1, NaN, 1), 0.9);
  expect(smoothed[1]).toBeNaN();
  expect(smoothed[2]).toBeCloseTo(1, 12);
});
