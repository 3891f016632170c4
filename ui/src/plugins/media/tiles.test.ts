import { expect, test } from 'vitest';

import { plugins } from '../registry';
import { KINDS, prefixed } from './tiles';

test('tiles are of the pages of one place', () => {
  const place = plugins.find(({ name }) => name === 'media')?.place;
  expect(KINDS.length).toBeGreaterThan(2);
  for (const { page } of KINDS)
    expect(plugins.find(({ name }) => name === page)?.place, page).toBe(place);
});

test('arguments of equal names are kept apart in the URL', () => {
  const read: unknown[] = [];
  const part = prefixed('one', {
    write: () => ({ sample: '1', as: undefined }),
    read: (query) => read.push(query),
  });
  expect(part.write()).toEqual({ 'one.sample': '1', 'one.as': undefined });
  part.read({ 'one.sample': '2', 'two.sample': '3', sample: '4' });
  expect(read).toEqual([{ sample: '2' }]);
});
