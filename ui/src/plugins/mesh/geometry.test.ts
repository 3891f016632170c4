import { describe, expect, it } from 'vitest';

import type { Numbers, NumpyArray } from '@/api/npy';

import { bodyOf, geometryOf } from './geometry';

const rows = (data: Numbers): NumpyArray => ({ shape: [data.length / 3, 3], data });
const CORNERS = rows(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 2, 0));

describe('geometryOf', () => {
  it('returns flat coordinates, and colors from 0 to 1', () => {
    const { positions, index, colors, dropped } = geometryOf(
      CORNERS,
      rows(Int32Array.of(0, 1, 2)),
      rows(Float32Array.of(255, 0, 0, 0, 51, 0, 0, 0, 300)),
    );
    expect([...positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 2, 0]);
    expect([...(index ?? [])]).toEqual([0, 1, 2]);
    expect([...(colors ?? [])].map((value) => Math.round(value * 100) / 100)).toEqual([
      1, 0, 0, 0, 0.2, 0, 0, 0, 1,
    ]);
    expect(dropped).toBe(0);
  });

  it('omits faces of missing points and colors of other points', () => {
    const faces = rows(Float64Array.of(0, 0, 7, 0, -1, 0, 0, 0.5, 0));
    const { index, colors, dropped } = geometryOf(
      rows(Float64Array.of(0, 1, 0)),
      faces,
      rows(Uint8Array.of(1, 2, 3, 4, 5, 6)),
    );
    expect([index, colors, dropped]).toEqual([null, null, 3]);
  });

  it('omits points with invalid coordinates and the faces that use them', () => {
    const vertices = rows(Float64Array.of(0, 0, 0, NaN, 1, 0, 1, 0, 0, 0, 1e39, 0, 0, 2, 0));
    const faces = rows(Int32Array.of(0, 1, 2, 0, 2, 4));
    const { positions, index, colors, dropped, placeless } = geometryOf(
      vertices,
      faces,
      rows(Uint8Array.from({ length: 15 }, (_, i) => (i === 12 ? 255 : 0))),
    );
    expect([...positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 2, 0]);
    expect([...(index ?? [])]).toEqual([0, 1, 2]);
    expect([...(colors ?? [])]).toEqual([0, 0, 0, 0, 0, 0, 1, 0, 0]);
    expect([dropped, placeless]).toEqual([1, 2]);
  });
});

describe('bodyOf', () => {
  it('shows points if there are no faces', () => {
    expect(bodyOf(geometryOf(CORNERS, null, null), 'faces', '#ff0000', null).kind).toBe('points');
    expect(
      bodyOf(geometryOf(CORNERS, rows(Int32Array.of(0, 1, 2)), null), 'wires', '#ff0000', null)
        .kind,
    ).toBe('wires');
  });
});
