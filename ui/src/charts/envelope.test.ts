import { expect, test } from 'vitest';

import { envelope, pick } from './envelope';

test('the band contains every extreme', () => {
  const y = Float64Array.from(
    { length: 1_000 },
    (_, i) => (Math.sin(i * 12.9898) * 43_758.5453) % 1,
  );
  y[617] = 99;
  const x = Float64Array.from(y.keys());
  const { band } = envelope(x, y);
  expect(Math.max(...band.high)).toBe(99);
  expect(Math.min(...band.low)).toBe(Math.min(...y));
  expect(band.x.length).toBeLessThan(300);
});

test('begins with the first point and ends with the last', () => {
  const x = Float64Array.from({ length: 11 }, (_, i) => i);
  const { last } = envelope(x, x);
  expect(pick(x, last)).toEqual(Float64Array.of(0, 4, 8, 10));
});

test('NaN stays a gap', () => {
  const y = Float64Array.of(1, 2, NaN, 3, 4);
  const { last, band } = envelope(Float64Array.of(0, 1, 2, 3, 4), y);
  expect([...pick(y, last)]).toEqual([1, 2, NaN, 4]);
  expect(band.low[2]).toBeNaN();
});
