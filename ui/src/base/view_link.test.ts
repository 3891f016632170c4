import { expect, test } from 'vitest';

import { queryArguments, queryText, viewLink } from './view_link';

const VIEW = { runs: 'a b~c%7Ed', tags: '^x+y (z)$' };

test('a view round-trips through its link', () => {
  const link = viewLink('scalar', { ...VIEW, step: undefined });
  expect(link).toMatch(/^#\/scalar\?/);
  expect(link).not.toContain('+');
  expect(queryArguments(link.split('?')[1] ?? '')).toEqual(VIEW);
  expect(queryArguments(queryText(VIEW))).toEqual(VIEW);
  expect(viewLink('runs', {})).toBe('#/runs');
});
