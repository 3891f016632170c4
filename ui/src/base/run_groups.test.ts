import { expect, test } from 'vitest';

import type { Value } from './job_query';
import { allBut, ALL_BUT_SEED, fieldLeftOut, groupFields, TOGETHER } from './run_groups';

const COLUMNS: Readonly<Record<string, readonly Value[]>> = {
  batch_size: [32, 32, 64],
  // A number that the server gives, not a parameter.
  dataset_mark: ['2', '3', null],
  loss: [1, 2, 3],
  'metric/acc': [1, 2, 3],
  network: ['a', 'a', 'a'],
  'user_defined/data.seed': [1, 2, 3],
  'user_defined/log_dir': ['/a', '/b', '/c'],
  'user_defined/lr': [0.1, 0.1, null],
  'user_defined/run_id': [1, 2, 3],
  'user_defined/optimizer': ['adam', 'adam', 'sgd'],
  'user_defined/seed': [1, 2, 1],
  'user_defined/solver': ['adam', 'adam', 'sgd'],
};

const groups = (...by: string[]): readonly string[] =>
  groupFields(by, Object.keys(COLUMNS), {
    resolve: (word) => (word === 'seed' ? 'user_defined/seed' : word),
    column: (name) => COLUMNS[name] ?? [],
  });

test('repetitions agree in all parameters that differ, but for seeds and names of runs', () => {
  expect(groups(ALL_BUT_SEED)).toEqual(['batch_size', 'user_defined/optimizer']);
});

test('any other parameter can be left out', () => {
  expect(groups(allBut('batch_size'))).toEqual([
    'user_defined/data.seed',
    'user_defined/optimizer',
    'user_defined/seed',
  ]);
  expect(fieldLeftOut(allBut('batch_size'))).toBe('batch_size');
  expect([fieldLeftOut(TOGETHER), fieldLeftOut('network')]).toEqual([null, null]);
});

test('fields are taken as they are, and all runs together have none', () => {
  expect(groups('network', 'state')).toEqual(['network', 'state']);
  expect(groups(TOGETHER)).toEqual([]);
  expect(groups()).toEqual([]);
});
