import { expect, test } from 'vitest';

import { job } from '@/store/jobs_for_tests';

import type { Plugin } from './plugin';
import { hasDataFor, needsData } from './presence';
import { plugins } from './registry';

function page(name: string): Plugin {
  const found = plugins.find((plugin) => plugin.name === name);
  if (!found) throw new Error(`There is no page ${name}.`);
  return found;
}

test('a page has data if a run has tags of one of its server plugins', () => {
  expect(hasDataFor(page('curves'), job('run', 0, { plugins: { roc_curve: ['a'] } }))).toBe(true);
  expect(
    hasDataFor(page('curves'), job('run', 0, { plugins: { pr_curve: [], scalar: ['a'] } })),
  ).toBe(false);
});

test('the page of other data has that of plugins without a page', () => {
  expect(hasDataFor(page('other'), job('run', 0, { plugins: { scalar: ['a'] } }))).toBe(false);
  expect(hasDataFor(page('other'), job('run', 0, { plugins: { invention: ['a'] } }))).toBe(true);
});

test('pages about runs as a whole need no data', () => {
  expect(
    ['runs', 'compare', 'health', 'image', 'other'].map((name) => needsData(page(name))),
  ).toEqual([false, false, false, true, true]);
});

test('parameters are in lineage files, in hyperparameters or in a config as a text', () => {
  const parameters = page('sweep').has;
  expect(parameters?.(job('run', 0, { lineage_files: 1 }))).toBe(true);
  expect(parameters?.(job('run', 0, { plugins: { hparams: ['hparams'] } }))).toBe(true);
  expect(parameters?.(job('run', 0, { plugins: { text: ['args/text_summary'] } }))).toBe(true);
  expect(parameters?.(job('run', 0, { plugins: { text: ['args/other'] } }))).toBe(false);
  expect(parameters?.(job('run', 0))).toBe(false);
});

test('a page that gathers has the data of the other pages of its place', () => {
  expect(needsData(page('media'))).toBe(true);
  expect(hasDataFor(page('media'), job('run', 0, { plugins: { audio: ['a'] } }))).toBe(true);
  expect(
    hasDataFor(page('media'), job('run', 0, { plugins: { scalar: ['a'], invention: ['b'] } })),
  ).toBe(false);
});
