import { expect, test } from 'vitest';

import { scaledPlaces } from './axis_scale';

const placesOf = (values: number[], scale: 'linear' | 'log' | 'quantile'): number[] => [
  ...scaledPlaces(Float64Array.from(values), scale).places,
];

test('powers of ten are evenly spaced on a logarithmic axis', () => {
  expect(placesOf([0.001, NaN, 0.1, 10], 'log')).toEqual([-3, NaN, -1, 1]);
  expect(scaledPlaces(Float64Array.of(0.001, 10), 'log').valueAt(-2)).toBe(0.01);
});

test('a logarithmic axis with values of zero or below becomes linear', () => {
  for (const values of [[0, 1, 10], [-1, 1], [NaN]]) {
    expect(scaledPlaces(Float64Array.from(values), 'log').scale).toBe('linear');
    expect(placesOf(values, 'log')).toEqual(values);
  }
});

test('ranks are evenly spaced on a quantile axis, and equal values share a position', () => {
  expect(placesOf([1, 1000, 10, NaN, 100, 2], 'quantile')).toEqual([0, 1, 0.5, NaN, 0.75, 0.25]);
  expect(placesOf([5, 5, 5], 'quantile')).toEqual([0.5, 0.5, 0.5]);
  expect(placesOf([1, 2, 2, 3, 4], 'quantile')).toEqual([0, 0.375, 0.375, 0.75, 1]);
  const { valueAt } = scaledPlaces(Float64Array.of(4, 1, 3), 'quantile');
  expect([0, 0.25, 0.5, 1, 1.2].map(valueAt)).toEqual([1, 2, 3, 4, 4]);
});
