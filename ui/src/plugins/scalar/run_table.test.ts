import { expect, test } from 'vitest';

import { line } from '@/charts/lines_for_tests';

import { runTable } from './run_table';

test('a line has its last value, and its extremes with their steps', () => {
  const rows = runTable(
    [
      line('a', [0, 1_000, 2_000], [3, 0.5, 2]),
      line('b', [4], [NaN]),
      line('c', [0, 1], [3, 0.512]),
    ],
    [],
    'step',
  );
  expect(rows).toEqual([
    ['a', '2.000', '0.500', '1,000', '3', '0'],
    ['b', 'NaN', '', '', '', ''],
    ['c', '0.512', '0.512', '1', '3', '0'],
  ]);
});

test('values are as logged even if the line is smoothed', () => {
  const series = {
    train_id: './a',
    tag: 'loss',
    step: Float64Array.of(7, 8),
    wall_time: Float64Array.of(1, 2),
    value: Float64Array.of(5, 9),
    total: 2,
    superseded: 0,
  };
  expect(runTable([line('a', [0, 1], [6, 7])], [{ series }], 'relative')).toEqual([
    ['a', '9', '5', '7', '9', '8'],
  ]);
});
