import { expect, test } from 'vitest';

import type { Series } from '@/api/series';
import { formatValue } from '@/base/format';

import { blobSizes, cellsOf, columnsOf } from './generic_rows';

const series = {
  plugin_name: 'acme',
  train_id: './a',
  tag: 't',
  total: 2,
  step: [1, 2],
  wall_time: [0, 1],
  problems: [],
  details: {},
  dims: [[2, 3], null],
  data_type: ['DT_INT64', null],
  value: [0.5, 2],
  note: ['x'.repeat(100), ''],
  writers: ['a', 'b'],
  short: [1],
} as unknown as Series;

test('finds columns as long as the steps, from any plugin', () => {
  expect(columnsOf(series)).toEqual(['dims', 'data_type', 'value', 'note']);
});

test('cells are texts, shortened if they are long', () => {
  expect(cellsOf(series, ['dims', 'data_type', 'value'], 0)).toEqual([
    '[2,3]',
    'DT_INT64',
    formatValue(0.5),
  ]);
  expect(cellsOf(series, ['dims', 'data_type', 'gone'], 1)).toEqual(['–', '–', '–']);
  expect(cellsOf(series, ['note'], 0)[0]).toHaveLength(80);
});

test('blobs show their sizes', () => {
  const blobs = { ...series, bytes: [[3, 0], null] } as unknown as Series;
  expect(blobSizes(blobs, 0)).toEqual([3, 0]);
  expect(blobSizes(blobs, 1)).toEqual([]);
  expect(blobSizes(series, 0)).toEqual([]);
});
