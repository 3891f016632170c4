import { expect, test } from 'vitest';

import { matchingPoints } from './matching';

test('points match by any of their labels', () => {
  const labels = [
    { name: 'word', values: ['a1', 'b1'], codes: Int32Array.of(0, 1, 1) },
    { name: 'group', values: ['x', 'a'], codes: Int32Array.of(0, 0, 1) },
  ];
  expect([...matchingPoints(labels, '^a')].sort()).toEqual([0, 2]);
  expect(matchingPoints(labels, '').size).toBe(0);
});
