import { expect, test } from 'vitest';

import { axisOf, readBrush, varies, within, writeBrush } from './parallel_lines';

test('an axis has numbers, or the distinct texts in natural order', () => {
  expect([...axisOf('lr', [0.1, null, 0.2]).places]).toEqual([0.1, NaN, 0.2]);
  const axis = axisOf('opt', ['sgd', 'adam10', 'adam9', undefined, 3]);
  expect(axis.categories).toEqual(['3', 'adam9', 'adam10', 'sgd']);
  expect([...axis.places]).toEqual([3, 2, 1, NaN, 0]);
});

test('a parameter with equal values in all runs does not vary', () => {
  expect(varies(axisOf('seed', [1, null, 1]))).toBe(false);
  expect(varies(axisOf('seed', [1, 2]))).toBe(true);
  expect(varies(axisOf('seed', []))).toBe(false);
});

test('runs must be within the range of every axis that has one', () => {
  const axes = [axisOf('a', [1, 2, 3, null]), axisOf('b', ['x', 'y', 'x', 'x'])];
  expect(within(axes, [], 4)).toEqual([0, 1, 2, 3]);
  expect(within(axes, [{ field: 'a', from: 0.8, to: 2.5 }], 4)).toEqual([0, 1]);
  expect(
    within(
      axes,
      [
        { field: 'a', from: 0.8, to: 1 },
        { field: 'a', from: 3, to: 9 },
        { field: 'b', from: -0.3, to: 0.3 },
      ],
      4,
    ),
  ).toEqual([0, 2]);
  // Missing values are below the others and can be brushed there.
  expect(within(axes, [{ field: 'a', from: 0, to: 0.9 }], 4)).toEqual([3]);
  expect(within(axes, [{ field: 'gone', from: 0, to: 1 }], 4)).toHaveLength(4);
});

test('written ranges are read back', () => {
  expect(
    readBrush(writeBrush({ field: 'user_defined/a:b', from: -0.001234567, to: 1e-7 })),
  ).toEqual({ field: 'user_defined/a:b', from: -0.00123457, to: 1e-7 });
  expect(readBrush('lr')).toBeNull();
});
