import { describe, expect, it } from 'vitest';

import { sphereOf, type Body } from './space';

const body = (...positions: number[]): Body => ({
  kind: 'points',
  positions: Float32Array.from(positions),
  index: null,
  colors: null,
  color: '#000000',
});

describe('sphereOf', () => {
  it('contains all finite points', () => {
    const { centre, radius } = sphereOf([body(0, 0, 0, 2, 0, NaN), body(0, 4, 0, 2, 4, 4)]);
    expect(centre).toEqual([1, 2, 2]);
    expect(radius).toBeCloseTo(3);
  });

  it('contains the faces if there are some, but not distant parts of a path', () => {
    const faces: Body = {
      ...body(0, 0, 0, 2, 0, 0, 0, 2, 0),
      kind: 'faces',
      index: Uint32Array.of(0, 1, 2),
    };
    expect(sphereOf([faces, body(900, 0, 0)])).toEqual({ centre: [1, 1, 0], radius: Math.SQRT2 });
  });

  it.each([[[]], [[1, 1, 1]]])('has a size even for no point and for one: %j', (positions) => {
    expect(sphereOf([body(...positions)]).radius).toBe(1);
  });
});
