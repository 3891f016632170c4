import { describe, expect, it } from 'vitest';

import { intoSphere, placedOf, sizeOf, splitByLight } from './point_cloud';

describe('intoSphere', () => {
  it('is centered, with the furthest point at the edge', () => {
    const points = intoSphere(Float32Array.of(1, 1, 1, 3, 1, 1));
    expect([...points]).toEqual([-1, 0, 0, 1, 0, 0]);
  });

  it('is not shrunk by a single point far away', () => {
    const places = Float32Array.from({ length: 3 * 1000 }, (_, i) =>
      i === 2997 ? 1e4 : i % 3 === 0 ? (i / 3) % 100 : 0,
    );
    const points = intoSphere(places);
    expect(Math.max(...points.subarray(0, 2997))).toBeGreaterThan(0.9);
  });

  it('keeps flat clouds flat', () => {
    expect([...intoSphere(Float32Array.of(0, 0, 9, 0, 4, NaN), true)]).toEqual([0, -1, 0, 0, 1, 0]);
  });

  it('keeps identical points in the center', () => {
    expect([...intoSphere(Float32Array.of(2, 2, 2, 2, 2, 2))]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('leaves points without coordinates unplaced and does not move the others', () => {
    const points = intoSphere(
      Float32Array.of(1, 1, 1, NaN, NaN, NaN, 3, 1, 1, Infinity, 0, 0, NaN, 0, 0),
    );
    expect([...points.subarray(0, 3), ...points.subarray(6, 9)]).toEqual([-1, 0, 0, 1, 0, 0]);
    expect(placedOf(points)).toEqual(Uint32Array.of(0, 2));
  });
});

describe('splitByLight', () => {
  it('makes all points bright if none is highlighted', () => {
    expect(splitByLight(Uint32Array.of(0, 1, 2), new Set())).toEqual({
      bright: Uint32Array.of(0, 1, 2),
      faint: new Uint32Array(),
    });
  });

  it('separates highlighted points from the others', () => {
    expect(splitByLight(Uint32Array.of(0, 1, 2), new Set([2, 7]))).toEqual({
      bright: Uint32Array.of(2),
      faint: Uint32Array.of(0, 1),
    });
  });
});

describe('sizeOf', () => {
  it('decreases with more points, but stays visible', () => {
    const sizes = [1, 1000, 20_000, 1_000_000].map((count) => sizeOf(count, false));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(sizes.at(-1)).toBe(2.5);
    expect(sizeOf(1000, true)).toBeGreaterThan(sizeOf(1000, false));
  });
});
