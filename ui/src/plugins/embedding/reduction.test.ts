import { describe, expect, it } from 'vitest';

import { everyOf, possibleNeighbours, putBack, rowsOf, spread } from './reduction';

describe('everyOf', () => {
  it('returns all points up to the limit of a method, and a sample of more', () => {
    expect([3_000, 3_001, 20_000].map((count) => everyOf('tsne', count))).toEqual([1, 2, 7]);
    expect(everyOf('pca', 1e6)).toBe(1);
  });
});

describe('possibleNeighbours', () => {
  it('are limited by the number of points', () => {
    expect(
      [2, 10, 100].map((points) => possibleNeighbours({ method: 'umap', neighbours: 15 }, points)),
    ).toEqual([2, 9, 15]);
    expect(
      [2, 61, 100].map((points) => possibleNeighbours({ method: 'tsne', neighbours: 30 }, points)),
    ).toEqual([2, 20, 30]);
  });
});

describe('rowsOf', () => {
  it('omits points with invalid coordinates, and keeps indices', () => {
    const rows = rowsOf({
      data: Float32Array.of(1, 2, NaN, 4, 5, 6, Infinity, 8),
      count: 4,
      dimensions: 2,
    });
    expect(rows).toEqual([[1, 2], null, [5, 6], null]);
    expect(
      putBack(rows, [
        [7, 8],
        [1, 2, 3],
      ]),
    ).toEqual(Float32Array.of(7, 8, 0, NaN, NaN, NaN, 1, 2, 3, NaN, NaN, NaN));
  });
});

describe('spread', () => {
  it('assigns each placed point its position', () => {
    const none = [NaN, NaN, NaN];
    expect([...spread(Float32Array.of(1, 2, 3, ...none, 4, 5, 6), 2, 6)]).toEqual([
      1,
      2,
      3,
      ...none,
      ...none,
      ...none,
      4,
      5,
      6,
      ...none,
    ]);
  });
});
