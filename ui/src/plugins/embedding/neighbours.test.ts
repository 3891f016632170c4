import { describe, expect, it } from 'vitest';

import { neighboursOf, type Vectors } from './neighbours';

const vectors: Vectors = { data: [1, 0, 10, 0, 0, 1, 1, 0.1], count: 4, dimensions: 2 };

describe('neighboursOf', () => {
  it('by cosine has the same direction first, whatever the length', () => {
    expect(neighboursOf(vectors, 0, 'cosine', 2).map(({ index }) => index)).toEqual([1, 3]);
    expect(neighboursOf(vectors, 0, 'cosine', 1)[0]?.distance).toBeCloseTo(0);
  });

  it('by distance has what lies nearest', () => {
    expect(neighboursOf(vectors, 0, 'euclidean', 9).map(({ index }) => index)).toEqual([3, 2, 1]);
  });
});
