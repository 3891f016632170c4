import { expect, test } from 'vitest';

import type { Series } from '@/api/series';
import { formatValue } from '@/base/format';

import { blobSizes, cellsOf, columnsOf, elementsText } from './generic_rows';

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
  note: ['x'.repeat(200), ''],
  writers: ['a', 'b'],
  short: [1],
} as unknown as Series;

test('finds columns as long as the steps, from any plugin', () => {
  expect(columnsOf(series)).toEqual(['dims', 'data_type', 'value', 'note']);
});

test('cells are texts, shortened if they are long', () => {
  expect(cellsOf(series, ['dims', 'data_type', 'value'], 0)).toEqual([
    '[2, 3]',
    'int64',
    formatValue(0.5),
  ]);
  expect(cellsOf(series, ['dims', 'data_type', 'gone'], 1)).toEqual(['–', '–', '–']);
  expect(cellsOf(series, ['note'], 0)[0]).toHaveLength(160);
});

test('elements of a tensor are nested by its dimensions', () => {
  expect(elementsText([1, 2, 3, 4], [2, 2])).toBe('[[1, 2], [3, 4]]');
  expect(elementsText([0.5, 'NaN'], [2])).toBe(`[${formatValue(0.5)}, NaN]`);
  expect(elementsText([7], [])).toBe('7');
  expect(elementsText([], [0, 3])).toBe('[]');
  expect(elementsText([1, 2, 3], [100])).toBe('[1, 2, 3, …');
});

test('blobs show their sizes', () => {
  const blobs = { ...series, bytes: [[3, 0], null] } as unknown as Series;
  expect(blobSizes(blobs, 0)).toEqual([3, 0]);
  expect(blobSizes(blobs, 1)).toEqual([]);
  expect(blobSizes(series, 0)).toEqual([]);
  const counted = { ...blobs, dims: [[2], null] } as unknown as Series;
  expect(cellsOf(counted, ['dims'], 0)).toEqual(['2']);
  expect(cellsOf(counted, ['dims'], 1)).toEqual(['–']);
});
