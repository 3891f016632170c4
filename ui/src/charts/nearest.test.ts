import { expect, test } from 'vitest';

import { line } from './lines_for_tests';
import { nearestPoints } from './nearest';
import type { Projection } from './paint';

const projection: Projection = {
  x: (value) => value,
  y: (value) => 100 - value,
  visible: [0, 100],
  height: 100,
  logY: false,
};
const lines = [line('low', [0, 50, 100], [10, 10, 10]), line('high', [0, 100], [80, 80])];

test('lines are sorted by their distance from the pointer', () => {
  expect(nearestPoints(lines, projection, 50, 25).map(({ line: { id } }) => id)).toEqual([
    'high',
    'low',
  ]);
  expect(nearestPoints(lines, projection, 50, 85).map(({ line: { id } }) => id)).toEqual([
    'low',
    'high',
  ]);
});

test('a line is near even if its points are far away', () => {
  const [first] = nearestPoints(lines, projection, 48, 21);
  expect(first?.line.id).toBe('high');
  expect(first?.distance).toBeCloseTo(1, 6);
});

test('describes the point of each line nearest in x', () => {
  expect(nearestPoints(lines, projection, 60, 0).map(({ index }) => index)).toEqual([1, 1]);
});

test('prefers an adjacent point with a value', () => {
  const [first] = nearestPoints([line('a', [0, 1, 2], [5, NaN, 7])], projection, 1, 0);
  expect(first?.index).toBe(0);
});

test('ignores a line without points', () => {
  expect(nearestPoints([line('a', [], [])], projection, 1, 0)).toEqual([]);
});
