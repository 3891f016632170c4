import { expect, test } from 'vitest';

import { RowKeys } from './row_keys';

test('rows of a new list reuse the keys of removed rows', () => {
  const keys = new RowKeys();
  const before = keys.of('all', ['a', 'b', 'c', 'd'], null);
  const after = keys.of('some', ['c', 'x', 'y'], null);
  expect(after[0]).toBe(before[2]);
  expect(after.slice(1)).toEqual([before[0], before[1]]);
});

test('surplus rows get unused keys', () => {
  const keys = new RowKeys();
  const before = keys.of('all', ['a', 'b'], null);
  const after = keys.of('some', ['a', 'x', 'y', 'z'], null);
  expect(new Set(after).size).toBe(4);
  expect(after.slice(0, 2)).toEqual(before);
});

test('a row scrolled into view gets a new key', () => {
  const keys = new RowKeys();
  const before = keys.of('all', ['a', 'b'], null);
  const [kept, come] = keys.of('all', ['b', 'c'], null);
  expect(kept).toBe(before[1]);
  expect(before).not.toContain(come);
});

test('the focused row keeps its key', () => {
  const keys = new RowKeys();
  const before = keys.of('all', ['a', 'b'], null);
  expect(keys.of('some', ['x', 'y'], 'a')).not.toContain(before[0]);
});
