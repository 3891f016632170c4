import { expect, test } from 'vitest';

import { nearestPoint, nextX } from './crosshair';
import type { CurvePoint } from './curve';

const point = (x: number, y: number): CurvePoint => ({
  x,
  y,
  threshold: 0,
  tp: 0,
  fp: 0,
  tn: 0,
  fn: 0,
});

test('the nearest point by x is found, of several at one x the highest', () => {
  const points = [point(1, 0.5), point(0.6, 0.75), point(0.6, 0.9), point(0.2, 1)];
  expect(nearestPoint(points, 0.9)).toBe(0);
  expect(nearestPoint(points, 0.55)).toBe(2);
  expect(nearestPoint(points, 0)).toBe(3);
  expect(nearestPoint([], 0)).toBe(-1);
});

test('keys step through the points of all curves', () => {
  const curves = [[point(1, 0), point(0.5, 0)], [point(0.7, 0)]];
  expect(nextX(curves, 0.5, 1)).toBe(0.7);
  expect(nextX(curves, 0.7, 1)).toBe(1);
  expect(nextX(curves, 1, 1)).toBe(1);
  expect(nextX(curves, 0.6, -1)).toBe(0.5);
});
