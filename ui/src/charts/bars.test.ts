import { expect, test } from 'vitest';

import { barsOf } from './bars';
import { line } from './lines_for_tests';

const barsOfValues = (...values: number[]) =>
  barsOf(values.map((value, i) => line(String(i), [0], [value])));

test('bars start at zero, the largest value first', () => {
  expect(barsOfValues(1, 4, 2).map(({ id, start, length }) => [id, start, length])).toEqual([
    ['1', 0, 1],
    ['2', 0, 0.5],
    ['0', 0, 0.25],
  ]);
});

test('negative values extend to the left of zero', () => {
  expect(barsOfValues(3, -1).map(({ start, length }) => [start, length])).toEqual([
    [0.25, 0.75],
    [0, 0.25],
  ]);
  expect(barsOfValues(-2, -4).map(({ start, length }) => [start, length])).toEqual([
    [0.5, 0.5],
    [0, 1],
  ]);
});

test('values that are not finite have no bar, and NaN comes last', () => {
  expect(barsOfValues(NaN, 2, Infinity, 0).map(({ value, length }) => [value, length])).toEqual([
    [Infinity, 0],
    [2, 1],
    [0, 0],
    [NaN, 0],
  ]);
});
