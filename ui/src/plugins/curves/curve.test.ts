import { describe, expect, it } from 'vitest';

import { areasOf, pointsOf, type CurveSeries } from './curve';

const series: CurveSeries = {
  plugin_name: 'pr_curve',
  train_id: './a',
  tag: 't',
  total: 2,
  problems: [],
  details: {},
  step: [0, 10],
  wall_time: [1, 2],
  thresholds: [[0, 0.5], null],
  true_positives: [[10, 6], null],
  false_positives: [[10, 2], null],
  true_negatives: [[0, 8], null],
  false_negatives: [[0, 4], null],
  precision: [[0.5, 0.75], null],
  recall: [[1, 0.6], null],
  average_precision: [0.7, null],
};

describe('pointsOf', () => {
  it('has recall as x and precision as y', () => {
    expect(pointsOf(series, 0, 'pr_curve')).toEqual([
      { x: 1, y: 0.5, threshold: 0, tp: 10, fp: 10, tn: 0, fn: 0 },
      { x: 0.6, y: 0.75, threshold: 0.5, tp: 6, fp: 2, tn: 8, fn: 4 },
    ]);
  });

  it('omits points with invalid coordinates', () => {
    const odd = { ...series, precision: [[NaN, 0.75], null], recall: [[1, 0.6], null] };
    expect(pointsOf(odd, 0, 'pr_curve').map(({ x }) => x)).toEqual([0.6]);
  });

  it('is empty for damaged steps and missing rates', () => {
    expect(pointsOf(series, 1, 'pr_curve')).toEqual([]);
    expect(pointsOf(series, 0, 'roc_curve')).toEqual([]);
  });
});

describe('areasOf', () => {
  it('is NaN at damaged steps', () => {
    expect([...areasOf(series, 'pr_curve')]).toEqual([0.7, NaN]);
  });
});
