import { expect, test } from 'vitest';

import { placeLink } from './place_link';

test('a link says run, tag and place', () => {
  expect(placeLink('./a~b/c d', 'x/y (z)', [0, 100])).toBe(
    '#/scalar?runs=a%257Eb%2Fc%20d&tags=%5Ex%2Fy%20%5C%28z%5C%29%24&zoom=0..100',
  );
});

test('the run that is the base dir itself has its own name, and all charts no filter', () => {
  expect(placeLink('./', null, [7, 7])).toBe('#/scalar?runs=%2F.%2F&zoom=7..8');
});
