import { describe, expect, it, test } from 'vitest';

import {
  bucketRows,
  layersOf,
  percentileLines,
  SHARES,
  type HistogramSeries,
} from './histogram_layers';

const series: HistogramSeries = {
  plugin_name: 'histogram',
  train_id: './a',
  tag: 'w',
  total: 3,
  problems: [],
  details: {},
  step: [0, 10, 20],
  wall_time: [100, null, 160],
  buckets: [[[0, 1, 4]], [[0, 2, 4]], null],
  nan_count: [0, 0, null],
  positive_infinity_count: [0, 0, null],
  negative_infinity_count: [0, 0, null],
};

describe('layersOf', () => {
  it('omits damaged steps, and steps without a time on a time axis', () => {
    expect(layersOf(series, 'step').map(({ x, row }) => [x, row])).toEqual([
      [0, 0],
      [10, 1],
    ]);
    expect(layersOf(series, 'relative').map(({ x }) => x)).toEqual([0]);
    expect(layersOf(series, 'wall').map(({ x }) => x)).toEqual([100]);
  });
});

describe('percentileLines', () => {
  it('returns a line for each percentile, in ascending order', () => {
    const lines = percentileLines(layersOf(series, 'step'), series, {
      color: '#000',
      nameOf: String,
    });
    expect(lines).toHaveLength(SHARES.length);
    expect([...(lines[0]?.y ?? [])]).toEqual([0, 0]);
    expect([...(lines[4]?.y ?? [])]).toEqual([0.5, 1]);
    expect([...(lines[8]?.y ?? [])]).toEqual([1, 2]);
    expect(lines[0]?.band?.high).toEqual(lines[8]?.y);
  });
});

test('every bucket is a row, found by its index', () => {
  const layer = (row: number, buckets: readonly (readonly [number, number, number])[]) => ({
    x: row,
    row,
    label: `s${row}`,
    buckets,
  });
  const rows = bucketRows([
    layer(0, [
      [0, 1, 5],
      [1, 2, 0],
    ]),
    layer(1, []),
    layer(2, [[-0.1, 0.30000000000000004, 12345]]),
  ]);
  expect(Array.from({ length: rows.length }, (_, i) => rows.at(i))).toEqual([
    ['s0', '0', '1', '5'],
    ['s0', '1', '2', '0'],
    ['s2', '-0.1', '0.30000000000000004', '12345'],
  ]);
});
