import { expect, test } from 'vitest';

import type { Value } from '@/base/job_query';
import { job } from '@/store/jobs_for_tests';

import type { Summary } from './grouping';
import { csvRows } from './table_csv';

const VALUES: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  './a': { name: 'a', created: 1_700_000_000.5, 'metric/acc': 0.12345678901234, lr: 1e-7 },
  './b': { name: 'b', created: null, 'metric/acc': NaN, lr: Infinity },
};
const COLUMNS = [
  { id: 'name', title: 'Run' },
  { id: 'created', title: 'Created' },
  { id: 'metric/acc', title: 'acc' },
  { id: 'lr', title: 'lr' },
];
const run = (name: string, group = '') => ({
  group,
  job: job(name, 1),
  summaryOf: (): Summary | undefined => undefined,
});
const valueOf = (id: string, { train_id }: { train_id: string }): Value => VALUES[train_id]?.[id];

test('cells have all digits, times are absolute, and missing values are empty', () => {
  const rows = [run('b'), run('a')];
  expect(csvRows({ columns: COLUMNS, rows, isGrouped: false, valueOf })).toEqual([
    ['Run', 'Created', 'acc', 'lr'],
    ['b', '', 'nan', 'inf'],
    ['a', '2023-11-14T22:13:20.500Z', '0.12345678901234', '1e-7'],
  ]);
});

test('groups have means, deviations and counts', () => {
  const group = {
    group: 'lr 0.1',
    job: null,
    summaryOf: (id: string): Summary | undefined => {
      if (id === 'lr') return { kind: 'same', value: 0.1 };
      return id === 'metric/acc'
        ? { kind: 'mean', mean: 0.25, deviation: 0.125, count: 2 }
        : undefined;
    },
  };
  expect(
    csvRows({ columns: COLUMNS, rows: [group, run('a', 'lr 0.1')], isGrouped: true, valueOf }),
  ).toEqual([
    ['Group', 'Run', 'Created', 'acc', 'acc std', 'acc n', 'lr'],
    ['lr 0.1', '', '', '0.25', '0.125', '2', '0.1'],
    ['lr 0.1', 'a', '2023-11-14T22:13:20.500Z', '0.12345678901234', '', '', '1e-7'],
  ]);
});
