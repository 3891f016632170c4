import { expect, test } from 'vitest';

import type { ScalarSeries } from '@/api/scalars';

import { linkOf, signsOf } from './signs';

const series = (values: number[], times: number[] = values.map((_, i) => i), superseded = 0): ScalarSeries => ({
  train_id: './a', tag: 'loss', total: values.length + superseded, superseded, step: Float64Array.from(values.keys()),
  wall_time: Float64Array.from(times), value: Float64Array.from(values),
});

test('nothing is odd about a series that goes on and on', () => {
  expect(signsOf(series([3, 2, 1, 0]), [])).toEqual([]);
  expect(signsOf(series([]), [])).toEqual([]);
});

test('the onset of NaN and of infinity is told, and how many there are', () => {
  expect(signsOf(series([1, NaN, NaN, Infinity]), [])).toEqual([
    { kind: 'nan', step: 1, size: 2 }, { kind: 'infinite', step: 3, size: 1 },
  ]);
});

test('the longest pause is a gap, if it is out of the usual', () => {
  expect(signsOf(series([1, 1, 1, 1, 1], [0, 1, 2, 3_602, 3_603]), [])).toEqual([{ kind: 'gap', step: 3, size: 3_600 }]);
  expect(signsOf(series([1, 1, 1], [0, 3_600, 7_200]), [])).toEqual([]);
});

test('a clock that goes back is told, but not where the run was restarted', () => {
  expect(signsOf(series([1, 1, 1], [10, 11, 5]), [])).toEqual([{ kind: 'clock', step: 2, size: 6 }]);
  expect(signsOf(series([1, 1, 1], [10, 11, 5], 4), [2])).toEqual([{ kind: 'restart', step: 2, size: 1 }]);
  expect(signsOf(series([1, 1], [0, 1], 4), [])).toEqual([{ kind: 'replaced', step: 0, size: 4 }]);
});

test('a link says run, tag and place', () => {
  expect(linkOf('./a~b/c d', 'x/y (z)', 50, 1_000)).toBe('#/scalar?runs=a%257Eb%2Fc%20d&tags=%5Ex%2Fy%20%5C%28z%5C%29%24&zoom=0..100');
});
