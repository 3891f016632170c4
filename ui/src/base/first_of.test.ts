import { describe, expect, it } from 'vitest';

import { firstOf } from './first_of';

const items = Array.from({ length: 500 }, (_, i) => ({ key: (i * 7919) % 61, i }));
const order = (a: { key: number }, b: { key: number }): number => a.key - b.key;

describe('firstOf', () => {
  it.each([0, 1, 8, 499, 500, 1000])(
    'is what sorting all and taking the first %i gives',
    (most) => {
      expect(firstOf(items, most, order)).toEqual([...items].sort(order).slice(0, most));
    },
  );

  it('compares most items once', () => {
    let compared = 0;
    firstOf(
      Array.from({ length: 10_000 }, (_, i) => i),
      8,
      (a, b) => {
        compared++;
        return a - b;
      },
    );
    expect(compared).toBeLessThan(10_100);
  });
});
