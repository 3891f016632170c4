import { expect, test } from 'vitest';

import { naturalOrder } from './natural_order';

test('numbers in names count as numbers', () => {
  expect(['run_10', 'run_2', 'run_1'].sort(naturalOrder)).toEqual(['run_1', 'run_2', 'run_10']);
});

test('names with equal numbers are still ordered', () => {
  expect(naturalOrder('a01', 'a1')).not.toBe(0);
  expect(naturalOrder('Loss', 'loss')).toBe(-naturalOrder('loss', 'Loss'));
});
