import { expect, test } from 'vitest';

import type { Plugin } from './plugin';
import { hasDataFor, needsData } from './presence';
import { plugins } from './registry';

function page(name: string): Plugin {
  const found = plugins.find((plugin) => plugin.name === name);
  if (!found) throw new Error(`There is no page ${name}.`);
  return found;
}

test('a page has data if a run has tags of one of its server plugins', () => {
  expect(hasDataFor(page('curves'), { plugins: { roc_curve: ['a'] } })).toBe(true);
  expect(hasDataFor(page('curves'), { plugins: { pr_curve: [], scalar: ['a'] } })).toBe(false);
});

test('the page of other data has that of plugins without a page', () => {
  expect(hasDataFor(page('other'), { plugins: { scalar: ['a'] } })).toBe(false);
  expect(hasDataFor(page('other'), { plugins: { invention: ['a'] } })).toBe(true);
});

test('pages about runs as a whole need no data', () => {
  expect(
    ['runs', 'compare', 'health', 'image', 'other'].map((name) => needsData(page(name))),
  ).toEqual([false, false, false, true, true]);
});
