import { expect, test } from 'vitest';

import { rampColor, rampGradient, rampRange } from './value_ramp';

test('a ramp covers all values unless few of them are far from the others', () => {
  expect(rampRange([0.5, 0.9, 0.7])).toEqual({ low: 0.5, high: 0.9, clipped: false });
  expect(rampRange([1, 1, 1])).toEqual({ low: 1, high: 1, clipped: false });
  const values = Array.from({ length: 48 }, (_, i) => i / 47);
  expect(rampRange(values)).toEqual({ low: 0, high: 1, clipped: false });
  expect(rampRange([...values, 1e4, NaN])).toMatchObject({ clipped: true });
  const { low, high } = rampRange([...values, 1e4]);
  expect([low, high].map((value) => Math.round(value * 10) / 10)).toEqual([0, 1]);
  expect(rampRange([0.236, 0.236, 0.2408, 0.241, 0.9136])).toEqual({
    low: 0.236,
    high: 0.9136,
    clipped: false,
  });
  expect(rampRange([])).toEqual({ low: NaN, high: NaN, clipped: false });
});

test('the color of one diverged run leaves the range of colors to the others', () => {
  const losses = [0.1, 0.12, 0.13, 0.15, 0.16, 0.18, 0.2, 0.22];
  const range = rampRange([...losses, 722_400]);
  expect(range).toMatchObject({ low: 0.1, clipped: true });
  expect(range.high).toBeGreaterThan(0.22);
  expect(range.high).toBeLessThan(0.3);
  const colors = [...losses, 722_400].map((value) => rampColor(value, range, 'light'));
  expect(new Set(colors).size).toBe(9);
  expect(rampRange([...losses.map((value) => -value), -722_400]).high).toBe(-0.1);
});

test('infinities do not decide the range; they have the colors of its ends', () => {
  const range = rampRange([1, 2, 3, Infinity]);
  expect(range).toEqual({ low: 1, high: 3, clipped: false });
  expect(rampColor(Infinity, range, 'light')).toBe(rampColor(3, range, 'light'));
  expect(rampColor(-Infinity, range, 'dark')).toBe(rampColor(1, range, 'dark'));
});

test('missing values are gray, values beyond the range have the colors of its ends', () => {
  const range = { low: 0, high: 1, clipped: true };
  expect(rampColor(NaN, range, 'light')).toBe('#888888');
  expect(rampColor(7, range, 'light')).toBe(rampColor(1, range, 'light'));
  expect(rampColor(0.2, range, 'light')).not.toBe(rampColor(0.8, range, 'light'));
  expect(rampColor(5, { low: 5, high: 5, clipped: false }, 'light')).toMatch(/^rgb/);
  expect(rampGradient('dark')).toContain(rampColor(1, range, 'dark'));
});
