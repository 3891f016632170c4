import { expect, test } from 'vitest';

import type { HistogramSeries } from '@/cards/histogram_layers';

import { isNumberless } from './numberless';

const series = (
  buckets: HistogramSeries['buckets'],
  nan: HistogramSeries['nan_count'],
): HistogramSeries => ({
  plugin_name: 'histogram',
  train_id: './a',
  tag: 't',
  total: buckets.length,
  step: buckets.map((_, i) => i),
  wall_time: buckets.map(() => 0),
  problems: [],
  details: {},
  buckets,
  nan_count: nan,
  positive_infinity_count: buckets.map((one) => one && 0),
  negative_infinity_count: buckets.map((one) => one && 0),
});

test('a series without a number at any step is numberless', () => {
  expect(isNumberless(series([[], []], [0, 0]))).toBe(true);
  expect(isNumberless(series([[], [[0, 1, 3]]], [0, 0]))).toBe(false);
  expect(isNumberless(series([[]], [4]))).toBe(false);
});

test('damaged steps may hold numbers', () => {
  expect(isNumberless(series([[], null], [0, null]))).toBe(false);
  expect(isNumberless(series([], []))).toBe(false);
});
