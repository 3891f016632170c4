import { expect, test } from 'vitest';

import { job } from '@/store/jobs_for_tests';

import { panelRows } from './job_groups';

const jobs = ['a', 'b', 'c', 'd'].map((name, i) => job(name, i));
const sectionOf = ({ train_id }: { train_id: string }) =>
  /[bd]$/.test(train_id) ? 'selected' : train_id.endsWith('c') ? 'shown' : 'others';
const keys = (rows: ReturnType<typeof panelRows>): string[] => rows.map(({ key }) => key);

test('runs that a link shows come first, then the selected ones, each section in the given order', () => {
  expect(keys(panelRows(jobs, sectionOf))).toEqual([
    'shown',
    'job ./c',
    'selected',
    'job ./b',
    'job ./d',
    'others',
    'job ./a',
  ]);
});

test('an empty section has no heading', () => {
  expect(keys(panelRows(jobs.slice(0, 1), sectionOf))).toEqual(['others', 'job ./a']);
  expect(panelRows([], sectionOf)).toEqual([]);
});

test('selected runs are below the headings of their groups', () => {
  const rows = panelRows(
    jobs,
    () => 'selected',
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
