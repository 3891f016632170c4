import { describe, expect, test } from 'vitest';

import { extentClipped, extentX, extentY, inRange } from './extent';
import type { ChartFrame } from './line';
import { line } from './lines_for_tests';

const frame: ChartFrame = { xAxis: 'step', logX: false, logY: false, zoom: null };

test('ranges include both ends', () => {
  expect(inRange(Float64Array.of(1, 2, 2, 3), [2, 2])).toEqual([1, 3]);
  expect(inRange(Float64Array.of(1, 2, 3), [5, 9])).toEqual([3, 3]);
});

describe('the x axis', () => {
  test('spans all lines', () => {
    expect(extentX([line('a', [3, 9], [0, 0]), line('b', [-2], [0])], frame)).toEqual([-2, 9]);
  });

  test('is the zoom if there is one', () => {
    expect(extentX([], { ...frame, zoom: [4, 5] })).toEqual([4, 5]);
  });

  test('has a margin around a single point', () => {
    expect(extentX([line('a', [7], [0])], frame)).toEqual([6.5, 7.5]);
  });

  test('begins above zero on a logarithmic scale', () => {
    expect(extentX([line('a', [0, 10, 1000], [1, 1, 1])], { ...frame, logX: true })).toEqual([
      10, 1000,
    ]);
  });

  test('is null without points', () => {
    expect(extentX([line('a', [], [])], frame)).toBeNull();
  });
});

describe('the y axis', () => {
  test('includes every visible value, with bands and raw values', () => {
    const one = line('a', [0, 1, 2], [1, 2, 50], {
      raw: Float64Array.of(1, 9, 50),
      band: {
        x: Float64Array.of(0, 1, 2),
        low: Float64Array.of(-3, 0, 0),
        high: Float64Array.of(4, 4, 99),
      },
    });
    const [low = NaN, high = NaN] = extentY([one], [0, 1], false) ?? [];
    expect(low).toBeLessThanOrEqual(-3);
    expect(high).toBeGreaterThanOrEqual(9);
    expect(high).toBeLessThan(50);
  });

  test('ignores non-finite values', () => {
    const [low = NaN, high = NaN] =
      extentY([line('a', [0, 1, 2, 3], [NaN, 1, Infinity, 2])], [0, 3], false) ?? [];
    expect(low).toBeGreaterThan(0);
    expect(high).toBeLessThan(3);
  });

  test('does not cross zero if no value does', () => {
    expect(extentY([line('a', [0, 1], [0.001, 1])], [0, 1], false)?.[0]).toBe(0);
    expect(extentY([line('a', [0, 1], [-1, -0.001])], [0, 1], false)?.[1]).toBe(0);
  });

  test('has a margin around a constant', () => {
    const [low = NaN, high = NaN] = extentY([line('a', [0, 1], [5, 5])], [0, 1], false) ?? [];
    expect(low).toBeLessThan(5);
    expect(high).toBeGreaterThan(5);
  });

  test('has a margin around a constant with different roundings', () => {
    const [low = NaN, high = NaN] =
      extentY([line('a', [0, 1], [0.1, 0.1 + Number.EPSILON / 8])], [0, 1], false) ?? [];
    expect(high - low).toBeGreaterThan(0.005);
  });

  test('has a margin around a constant zero', () => {
    const [low = NaN, high = NaN] = extentY([line('a', [0, 1], [0, 0])], [0, 1], false) ?? [];
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
  });

  test('is positive on a logarithmic scale, or null', () => {
    expect(extentY([line('a', [0, 1, 2], [-1, 0.1, 10])], [0, 2], true)?.[0]).toBeGreaterThan(0);
    expect(extentY([line('a', [0, 1], [-1, 0])], [0, 1], true)).toBeNull();
  });

  test('includes the line between two points outside the view', () => {
    expect(extentY([line('a', [0, 10], [4, 6])], [3, 4], false)).not.toBeNull();
  });
});

test('a clipped axis excludes a spike and keeps all other values', () => {
  const x = Array.from({ length: 200 }, (_, i) => i);
  const spiked = line(
    'a',
    x,
    x.map((i) => (i === 50 ? 1e6 : 1 + i / 1_000)),
  );
  const [low = NaN, high = NaN] = extentClipped([spiked], [0, 199], false) ?? [];
  expect(low).toBeLessThan(1.01);
  expect(high).toBeGreaterThan(1.19);
  expect(high).toBeLessThan(1.3);
  expect(extentClipped([line('a', [0], [NaN])], [0, 1], false)).toBeNull();
});
