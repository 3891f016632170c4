import { expect, test } from 'vitest';

import { bandColumns } from './band_columns';
import type { Projection } from './paint';

const plain: Projection = {
  x: (value) => value,
  y: (value) => 100 - value,
  visible: [0, 20],
  height: 100,
  logY: false,
};
const band = (x: number[], low: number[], high: number[]) => ({
  x: Float64Array.from(x),
  low: Float64Array.from(low),
  high: Float64Array.from(high),
});

test('every extreme is in the column of its bucket', () => {
  const x = Array.from({ length: 400 }, (_, i) => i / 20);
  const low = x.map((_, i) => (i * 7919) % 31);
  const high = low.map((value, i) => value + ((i * 104729) % 17));
  const { first, low: bottoms, high: tops } = bandColumns(band(x, low, high), plain, 1);
  x.forEach((at, i) => {
    const column = Math.floor(at) - first;
    expect(bottoms[column]).toBeGreaterThanOrEqual(100 - (low[i] ?? 0));
    expect(tops[column]).toBeLessThanOrEqual(100 - (high[i] ?? 0));
  });
});

test('is linear between two buckets', () => {
  const { low, high } = bandColumns(band([0, 10], [0, 10], [10, 20]), plain, 1);
  expect([...low.slice(0, 3)]).toEqual([100, 99, 98]);
  expect([...high.slice(0, 3)]).toEqual([89, 88, 87]);
  expect(low[15]).toBe(-Infinity);
});

test('has no band at gaps or beyond the logged points', () => {
  const { low } = bandColumns(band([2, 5, 9, 14], [1, NaN, 1, 1], [2, NaN, 2, 2]), plain, 1);
  expect(low[2]).toBe(99);
  expect(low[6]).toBe(-Infinity);
  expect(low[11]).toBe(99);
  expect(bandColumns(band([], [], []), plain, 2).low.every((one) => one === -Infinity)).toBe(true);
});

test('omits values outside the view, but includes lines that lead into it', () => {
  const { low } = bandColumns(band([-50, -10, 40], [1, 1, 1], [2, 2, 2]), plain, 1);
  expect([...low].filter((one) => one === 99)).toHaveLength(21);
});

test('on a logarithmic axis a band that reaches zero ends below the picture', () => {
  const { low } = bandColumns(band([0, 10], [0, 0], [3, 3]), { ...plain, logY: true }, 1);
  expect(low[5]).toBe(1e5);
});
