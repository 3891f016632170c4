import { expect, test } from 'vitest';

import { readWidths, writeWidths } from './widths';

test('widths are written behind names, whatever these hold', () => {
  const widths = { name: 320, 'scalar/a:b/last': 48 };
  expect(writeWidths(widths)).toEqual(['name:320', 'scalar/a:b/last:48']);
  expect(readWidths(writeWidths(widths))).toEqual(widths);
});

test('what is no width is left out', () => {
  expect(readWidths(['name', 'name:wide', ':3', 'size:-1', 'state:99999'])).toEqual({});
});
