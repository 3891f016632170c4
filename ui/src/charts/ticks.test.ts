import { describe, expect, test } from 'vitest';

import { durationTicks, linearTicks, logTicks, timeTicks } from './ticks';

const RANGES: [number, number][] = [
  [0, 1],
  [0, 100_000],
  [3, 4],
  [-1, 1],
  [0.1, 0.30000000000000004],
  [1e-9, 3e-9],
  [99_999, 100_001],
  [-5e12, 7e12],
  [0.017, 2.94],
];

describe('linear ticks', () => {
  test.each(RANGES)('from %d to %d are two to six round numbers in range', (low, high) => {
    const { at } = linearTicks([low, high], 6);
    expect(at.length).toBeGreaterThanOrEqual(2);
    expect(at.length).toBeLessThanOrEqual(6);
    for (const tick of at) {
      expect(tick).toBeGreaterThanOrEqual(low - (high - low) * 1e-6);
      expect(tick).toBeLessThanOrEqual(high + (high - low) * 1e-6);
    }
  });

  test('have no rounding noise in their decimals', () => {
    expect(linearTicks([0, 0.5], 6).at).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5]);
  });
});

test('adjacent floating-point numbers have finitely many ticks', () => {
  for (const low of [0.1, 1, 1e6])
    expect(linearTicks([low, low * (1 + Number.EPSILON)], 6).at.length).toBeLessThanOrEqual(6);
});

describe('logarithmic ticks', () => {
  test.each([
    [0.001, 1000],
    [1e-30, 1e30],
    [0.13, 2],
    [1, 40],
    [5, 6],
  ] as [number, number][])('of %d to %d are one to six', (low, high) => {
    const { at } = logTicks([low, high], 6);
    expect(at.length).toBeGreaterThanOrEqual(1);
    expect(at.length).toBeLessThanOrEqual(6);
    expect(at.every((tick) => tick > 0)).toBe(true);
  });

  test('are powers of ten over many decades', () => {
    expect(logTicks([0.01, 100], 6).at).toEqual([0.01, 0.1, 1, 10, 100]);
  });
});

test('durations use the units of clocks', () => {
  expect(durationTicks([0, 7_200], 6).at).toEqual([0, 1_800, 3_600, 5_400, 7_200]);
});

test('wall times are round in local time', () => {
  const ahead = 5.5 * 3_600;
  const { at, increment } = timeTicks([1_800_000_000, 1_800_000_000 + 86_400], 6, ahead);
  expect(increment).toBe(21_600);
  for (const tick of at) expect((tick + ahead) % increment).toBe(0);
});
