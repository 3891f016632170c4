import { expect, test } from 'vitest';

import { rowRange } from './row_range';

test('a range goes from the row clicked before to this one, both included', () => {
  const listed = ['a', 'b', 'c', 'd', 'e'];
  const range = rowRange(() => listed);
  expect(range('d', false)).toEqual(['d']);
  expect(range('b', true)).toEqual(['b', 'c', 'd']);
  expect(range('c', true)).toEqual(['b', 'c']);
  expect(range('c', true)).toEqual(['c']);
});

test('without a row before, or if it is no longer listed, a range is one row', () => {
  let listed = ['a', 'b', 'c'];
  const range = rowRange(() => listed);
  expect(range('b', true)).toEqual(['b']);
  listed = ['a', 'c'];
  expect(range('c', true)).toEqual(['c']);
});
