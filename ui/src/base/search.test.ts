import { expect, test } from 'vitest';

import { lowerBound, nearestIndex } from './search';

test('the lower bound is the first element that is not less', () => {
  expect([0, 1, 2, 3, 9].map((wanted) => lowerBound([1, 1, 3], wanted))).toEqual([0, 0, 2, 2, 3]);
});

test('the nearest element is found, also at the ends', () => {
  expect([-5, 1.4, 2.6, 99].map((wanted) => nearestIndex([0, 1, 4], wanted))).toEqual([0, 1, 2, 2]);
  expect(nearestIndex([], 1)).toBe(-1);
});
