import { describe, expect, it } from 'vitest';

import { bucketAt, percentilesOf, rangeOf, sharesOf, type Buckets } from './buckets';

const buckets: Buckets = [
  [0, 1, 10],
  [1, 3, 20],
  [3, 4, 0],
  [4, 5, 10],
];

describe('rangeOf', () => {
  it('spans the first to the last non-empty bucket', () => {
    expect(rangeOf([[[-9, 0, 0], ...buckets]])).toEqual([0, 5]);
    expect(rangeOf([[[2, 2, 7]]])).toEqual([1.5, 2.5]);
    expect(rangeOf([[[0, 1, 0]], []])).toBeNull();
  });

  it('omits the open ends that some writers add', () => {
    expect(
      rangeOf([
        [
          [-1.7e308, 0, 1],
          [0, 1, 1],
        ],
      ]),
    ).toEqual([0, 1]);
  });
});

describe('sharesOf', () => {
  it('adds up to one for any position of the bins', () => {
    for (const bins of [1, 3, 7, 100]) {
      const shares = sharesOf(buckets, [0, 5], bins);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    }
  });

  it('spreads the values of a bucket evenly', () => {
    expect([...sharesOf(buckets, [0, 5], 5)].map((share) => Number(share.toFixed(12)))).toEqual([
      0.25, 0.25, 0.25, 0, 0.25,
    ]);
  });

  it('counts a bucket of width zero at its position', () => {
    expect([...sharesOf([[2, 2, 5]], [0, 4], 4)]).toEqual([0, 0, 1, 0]);
    expect([...sharesOf([[4, 4, 5]], [0, 4], 4)]).toEqual([0, 0, 0, 1]);
  });

  it('is zero for an empty histogram', () => {
    expect([...sharesOf([], [0, 1], 2)]).toEqual([0, 0]);
  });
});

describe('percentilesOf', () => {
  it('interpolates within buckets', () => {
    expect(percentilesOf(buckets, [0, 0.25, 0.5, 0.75, 1])).toEqual([0, 1, 2, 3, 5]);
  });

  it('is NaN for an empty histogram', () => {
    expect(percentilesOf([[0, 1, 0]], [0.5])).toEqual([NaN]);
  });
});

describe('bucketAt', () => {
  it('finds the bucket by its left edge, and the last also by its right', () => {
    expect(bucketAt(buckets, 1)).toEqual([1, 3, 20]);
    expect(bucketAt(buckets, 5)).toEqual([4, 5, 10]);
    expect(bucketAt(buckets, 5.1)).toBeNull();
    expect(bucketAt([[2, 2, 5]], 2)).toEqual([2, 2, 5]);
  });
});
