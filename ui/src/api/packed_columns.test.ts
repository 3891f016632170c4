import { expect, test } from 'vitest';

import { rowsOf, unpacked } from './packed_columns';

test('a cell shared by many rows is read once', () => {
  let reads = 0;
  const read = (text: string): { text: string } => {
    reads++;
    return { text };
  };
  const cells = unpacked({ values: ['adam', 'sgd'], codes: [0, 1, 0, 0] }, read);
  expect(cells.map(({ text }) => text)).toEqual(['adam', 'sgd', 'adam', 'adam']);
  expect(cells[2]).toBe(cells[0]);
  expect(reads).toBe(2);
});

test('reads all cells of unpacked columns', () => {
  expect(unpacked([1, 2, 2], (one) => one * 10)).toEqual([10, 20, 20]);
  expect(unpacked([], String)).toEqual([]);
});

test('rows have a cell for every column and share equal cells', () => {
  const rows = rowsOf<{ id: string; tags: readonly string[] }>({
    id: ['a', 'b', 'c'],
    tags: { values: [['loss'], []], codes: [1, 0, 0] },
  });
  expect(rows).toEqual([
    { id: 'a', tags: [] },
    { id: 'b', tags: ['loss'] },
    { id: 'c', tags: ['loss'] },
  ]);
  expect(rows[1]?.tags).toBe(rows[2]?.tags);
  expect(rowsOf({ id: [], tags: { values: [], codes: [] } })).toEqual([]);
});
