import { expect, test } from 'vitest';

import { placeLink } from './place_link';

test('a link contains view, tag and position', () => {
  expect(placeLink({ runs: 'a%7Eb/c d', hide: undefined }, 'x/y (z)', [0, 100])).toBe(
    '#/scalar?runs=a%257Eb%2Fc%20d&tags=%5Ex%2Fy%20%5C%28z%5C%29%24&zoom=0..100',
  );
});

test('a link to all charts has no filter', () => {
  expect(placeLink({}, null, [7, 7])).toBe('#/scalar?zoom=7..8');
});
