import { expect, test } from 'vitest';

import {
  axisOf,
  axisTicks,
  readBrush,
  roomAfter,
  roomBefore,
  within,
  writeBrush,
} from './parallel_lines';

test('an axis has numbers, or the distinct texts in natural order', () => {
  expect([...axisOf('lr', [0.1, null, 0.2]).places]).toEqual([0.1, NaN, 0.2]);
  const axis = axisOf('opt', ['sgd', 'adam10', 'adam9', undefined, 3]);
  expect(axis.categories).toEqual(['3', 'adam9', 'adam10', 'sgd']);
  expect([...axis.places]).toEqual([3, 2, 1, NaN, 0]);
});

test('infinities have no place on an axis, but are kept as logged', () => {
  const axis = axisOf('loss', [1, Infinity, 2]);
  expect([...axis.places]).toEqual([1, NaN, 2]);
  expect(axis.values[1]).toBe(Infinity);
});

test('ticks of logarithmic axes are decades, or round values within one; labels are values', () => {
  const labels = (values: number[], scale?: 'log' | 'quantile'): string[] => {
    const { at, label } = axisTicks(axisOf('x', values, scale), 6);
    return at.map(label);
  };
  expect(labels([1e-5, 0.003, 0.1], 'log')).toEqual(['1e-5', '1e-4', '0.001', '0.01', '0.1']);
  expect(labels([0.002, 0.009], 'log')).toEqual(['0.002', '0.004', '0.006', '0.008']);
  expect(labels([0.001, 0.012], 'log')).toEqual(['0.001', '0.01']);
  expect(labels([0, 1], 'log')).toEqual(['0', '1']);
  expect(labels([0.594, 0.88])).toEqual(['0.60', '0.65', '0.70', '0.75', '0.80', '0.85']);
  expect(labels([16, 32, 48])).toEqual(['20', '25', '30', '35', '40', '45']);
  expect(labels([1, 2, 3, 4, 100], 'quantile')).toEqual(['1', '2', '3', '4', '100']);
  expect(labels([256, 256])).toEqual(['256']);
  expect(axisTicks(axisOf('x', ['a', 'b']), 6).at).toEqual([]);
  expect(axisTicks(axisOf('x', [null]), 6).at).toEqual([]);
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

test('titles of the first and the last axis have room, also with wide characters', () => {
  const numbers = axisOf('a', [1, 2]);
  for (const name of ['验证集上的最高准确率之最大值合计', 'val/accuracy/average max', 'lr']) {
    const half = (name.length * (name === 'lr' || name.includes('/') ? 6.5 : 12)) / 2;
    expect(roomBefore(name)).toBeGreaterThan(half);
    expect(roomAfter(numbers, name)).toBeGreaterThan(half);
  }
});
