import { describe, expect, it } from 'vitest';

import { parallelAxis, scaleOf } from './parallel_axis';

const words = { ticks: { at: [2, 3], label: String }, none: 'no value' };

describe('an axis', () => {
  it('has a position for missing values, below all numbers and apart from all categories', () => {
    expect(parallelAxis([2, NaN, 4], null)).toEqual({
      categories: null,
      none: 2 - 0.28,
      least: 2,
      most: 4,
    });
    expect(parallelAxis([5, NaN], null).none).toBeLessThan(5);
    expect(parallelAxis([0, NaN], null).none).toBeLessThan(0);
    expect(parallelAxis([0, NaN, 1], ['adam', 'sgd'])).toEqual({
      categories: ['adam', 'sgd'],
      none: 2,
      least: NaN,
      most: NaN,
    });
  });

  it('has no such position if all values are present, or none is', () => {
    expect(parallelAxis([1, 2], null).none).toBeNull();
    expect(parallelAxis([0, 1], ['a', 'b']).none).toBeNull();
    expect(parallelAxis([NaN], null).none).toBeNull();
  });

  it('labels that position and the ticks', () => {
    const scale = scaleOf(parallelAxis([2, NaN, 4], null), words, { fontSize: 11 });
    if (scale.type !== 'value') throw new Error('An axis of numbers was asked for.');
    expect(scale.min).toBeCloseTo(2 - 0.28 - 0.03 * 2.28);
    expect(scale.max).toBeCloseTo(4 + 0.03 * 2.28);
    expect(scale.axisLabel.customValues).toEqual([2 - 0.28, 2, 3]);
    expect(scale.axisLabel.customValues.map(scale.axisLabel.formatter)).toEqual([
      '{none|no value}',
      '2',
      '3',
    ]);
    expect(scaleOf(parallelAxis([5], null), words, {})).toMatchObject({ min: 2.5, max: 7.5 });
    const named = scaleOf(parallelAxis([0, NaN], ['adam']), words, {});
    if (named.type !== 'category') throw new Error('An axis of categories was asked for.');
    expect(named.data.map(named.axisLabel.formatter)).toEqual(['adam', '{none|no value}']);
    const long = scaleOf(
      parallelAxis([0], ['Linear(\n  in_features=784,\n  out_features=128)']),
      words,
      {},
    );
    expect(long.type === 'category' && long.data[0]?.length).toBeLessThanOrEqual(18);
  });
});
