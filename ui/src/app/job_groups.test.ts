import { expect, test } from 'vitest';

import { job } from '@/store/jobs_for_tests';

import { panelRows } from './job_groups';

const jobs = ['a', 'b', 'c', 'd'].map((name, i) => job(name, i));
const isSelected = ({ train_id }: { train_id: string }): boolean => /[bd]$/.test(train_id);
const keys = (rows: ReturnType<typeof panelRows>): string[] => rows.map(({ key }) => key);

test('selected runs come first, each section in the given order', () => {
  expect(keys(panelRows(jobs, isSelected))).toEqual([
    'selected',
    'job ./b',
    'job ./d',
    'others',
    'job ./a',
    'job ./c',
  ]);
});

test('an empty section has no heading', () => {
  expect(keys(panelRows(jobs.slice(0, 1), isSelected))).toEqual(['others', 'job ./a']);
  expect(panelRows([], isSelected)).toEqual([]);
});

test('selected runs are below the headings of their groups', () => {
  const rows = panelRows(
    jobs,
    () => true,
    ({ train_id }) => (train_id === './b' ? 'sgd' : 'adam'),
  );
  expect(keys(rows)).toEqual([
    'selected',
    'group adam',
    'job ./a',
    'job ./c',
    'job ./d',
    'group sgd',
    'job ./b',
  ]);
  expect(rows[1]).toMatchObject({ name: 'adam', ids: ['./a', './c', './d'] });
});
