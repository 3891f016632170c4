import { expect, test } from 'vitest';

import { placeLink } from './place_link';

test('a link contains run, tag and position', () => {
  expect(placeLink('./a~b/c d', 'x/y (z)', [0, 100])).toBe(
    '#/scalar?runs=a%257Eb%2Fc%20d&tags=%5Ex%2Fy%20%5C%28z%5C%29%24&zoom=0..100',
  );
});

test("links to the base dir's own run by name, and to all charts without a filter", () => {
  expect(placeLink('./', null, [7, 7])).toBe('#/scalar?runs=%2F.%2F&zoom=7..8');
});
