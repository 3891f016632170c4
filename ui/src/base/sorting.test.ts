import { expect, test } from 'vitest';

import { readSorting, writeSorting } from './sorting';

test('is written as names, with - before descending ones', () => {
  const keys = [
    { id: 'loss', desc: true },
    { id: 'name', desc: false },
  ];
  expect(writeSorting(keys)).toEqual(['-loss', 'name']);
  expect(readSorting(['-loss', 'name'])).toEqual(keys);
});
