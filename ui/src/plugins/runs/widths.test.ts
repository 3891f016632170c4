import { expect, test } from 'vitest';

import { readWidths, writeWidths } from './widths';

test('widths follow column names, which may hold any character', () => {
  const widths = { name: 320, 'scalar/a:b/last': 48 };
  expect(writeWidths(widths)).toEqual(['name:320', 'scalar/a:b/last:48']);
  expect(readWidths(writeWidths(widths))).toEqual(widths);
});

test('ignores invalid widths', () => {
  expect(readWidths(['name', 'name:wide', ':3', 'size:-1', 'state:99999'])).toEqual({});
});
