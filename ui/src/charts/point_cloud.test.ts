import { describe, expect, it } from 'vitest';

import { intoSphere, pointAt, project } from './point_cloud';

const view = { yaw: 0, pitch: 0, zoom: 1 };

describe('intoSphere', () => {
  it('has its centre in the middle and its furthest point at the edge', () => {
    const points = intoSphere([[0, 0, 0], [4, 0, 0]]);
    expect([...points]).toEqual([-1, 0, 0, 1, 0, 0]);
  });

  it('takes points of two dimensions, one point, and none', () => {
    expect([...intoSphere([[0, 0], [0, 2]])]).toEqual([0, -1, 0, 0, 1, 0]);
    expect([...intoSphere([[5, 5, 5]])]).toEqual([0, 0, 0]);
    expect(intoSphere([])).toHaveLength(0);
  });
});

describe('project', () => {
  it('has x to the right and y upwards, and keeps the order of depth', () => {
    const points = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1);
    const { at, order } = project(points, view, 200, 100);
    expect([at[0], at[1]]).toEqual([146, 50]);
    expect([at[2], at[3]]).toEqual([100, 4]);
    expect([order[0], order[3]]).toEqual([3, 2]);
  });

  it('keeps distances from the centre when it is turned', () => {
    const points = Float32Array.of(0.5, 0.5, 0.5);
    for (const turned of [{ yaw: 1, pitch: 0, zoom: 1 }, { yaw: 2, pitch: -1, zoom: 1 }]) {
      const { at, depth } = project(points, turned, 100, 100);
      const [x, y] = [((at[0] ?? 0) - 50) / 46, ((at[1] ?? 0) - 50) / 46];
      expect(Math.hypot(x, y, depth[0] ?? 0)).toBeCloseTo(Math.hypot(0.5, 0.5, 0.5), 5);
    }
  });
});

describe('pointAt', () => {
  it('is the nearest within reach', () => {
    const projection = project(Float32Array.of(0, 0, 0, 1, 0, 0), view, 100, 100);
    expect(pointAt(projection, 52, 50, 10)).toBe(0);
    expect(pointAt(projection, 94, 50, 10)).toBe(1);
    expect(pointAt(projection, 70, 20, 10)).toBe(-1);
  });

  it('is the one in front where two lie over each other', () => {
    expect(pointAt(project(Float32Array.of(0, 0, 1, 0, 0, -1), view, 100, 100), 50, 50, 5)).toBe(0);
  });
});
