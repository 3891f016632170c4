import { expect, test } from 'vitest';

import { inOrder, moved, nearestSlot } from './axis_slots';

test('the nearest slot is one of those there are', () => {
  expect([-1, 0, 0.3, 0.5, 0.9, 2].map((share) => nearestSlot(share, 5))).toEqual([
    0, 0, 1, 2, 4, 4,
  ]);
  expect(nearestSlot(0.7, 1)).toBe(0);
});

test('one item is moved', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
});

test('items that an order lacks are last, and items that are gone are left out', () => {
  expect(inOrder(['a', 'b', 'c'], ['c', 'gone', 'a'])).toEqual(['c', 'a', 'b']);
  expect(inOrder(['a', 'b'], [])).toEqual(['a', 'b']);
});
