import { expect, test } from 'vitest';

import { rowTops, visibleRows } from './virtual_rows';

const tops = rowTops([44, 264, 264, 44, 512]);

test('tops add up to the height of all', () => {
  expect([...tops]).toEqual([0, 44, 308, 572, 616, 1128]);
});

test.each([
  [0, 100, [0, 2]],
  [44, 308, [1, 2]],
  [43, 309, [0, 3]],
  [600, 5000, [3, 5]],
  [-200, 10, [0, 1]],
  [2000, 3000, [5, 5]],
])('the window %d to %d shows rows %j', (top, bottom, rows) => {
  expect(visibleRows(tops, top, bottom)).toEqual(rows);
});

test('no rows, nothing to see', () => {
  expect(visibleRows(rowTops([]), 0, 500)).toEqual([0, 0]);
});
