import { expect, test } from 'vitest';

import { differenceSections } from './difference_sections';

const row = (group: 'config' | 'metrics', name: string, ...values: unknown[]) => ({
  group,
  name,
  values,
});

test('fields that only some runs have come last if they are equal there', () => {
  const rows = [
    row('config', 'output_dir', 'out', null, 'out'),
    row('config', 'lr', 0.1, 0.2, null),
    row('metrics', 'acc', 0.5, 0.6, 0.7),
    row('metrics', 'bleu', null, null, 30),
  ];
  const sections = differenceSections(['config', 'metrics'], rows).map((section) => [
    section.name,
    ...section.rows.map(({ name }) => name),
  ]);
  expect(sections).toEqual([
    ['config', 'lr'],
    ['metrics', 'acc'],
    ['partial', 'output_dir', 'bleu'],
  ]);
});

test('a section without rows is left out', () => {
  const only = differenceSections(['config', 'metrics'], [row('metrics', 'acc', [1, 2], [1, 3])]);
  expect(only.map(({ name }) => name)).toEqual(['metrics']);
  expect(differenceSections(['config'], [])).toEqual([]);
});
