import { expect, test } from 'vitest';

import { viewLink } from './view_link';

test('a view round-trips through its link', () => {
  const told = { runs: 'a b~c%7Ed', tags: '^x+y (z)$' };
  const link = viewLink('scalar', told);
  expect(link).toMatch(/^#\/scalar\?/);
  expect(link).not.toContain('+');
  expect(Object.fromEntries(new URLSearchParams(link.split('?')[1]))).toEqual(told);
});
