import { expect, test } from 'vitest';

import { readSorting, writeSorting } from './sorting_url';
import { readWidths, writeWidths } from './widths_url';

test('sorting is written as names', () => {
  const keys = [{ id: 'loss', desc: true }, { id: 'name', desc: false }];
  expect(writeSorting(keys)).toEqual(['-loss', 'name']);
  expect(readSorting(['-loss', 'name'])).toEqual(keys);
});

test('widths are written behind names, whatever these hold', () => {
  const widths = { name: 320, 'scalar/a:b/last': 48 };
  expect(writeWidths(widths)).toEqual(['name:320', 'scalar/a:b/last:48']);
  expect(readWidths(writeWidths(widths))).toEqual(widths);
  expect(readWidths(['name', 'name:wide', ':3', 'size:-1', 'state:99999'])).toEqual({});
});
