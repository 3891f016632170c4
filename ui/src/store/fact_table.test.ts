import { expect, test } from 'vitest';

import { FactTable } from './fact_table';

const table = new FactTable({
  train_id: ['./a', './b', './c'],
  columns: {
    loss_function: { values: ['MSE'], codes: [0, 0, 0] },
    optimizer: { values: ['Adam', null, 'SGD'], codes: [0, 1, 2] },
    learning_rate: [0.1, null, 'NaN'],
    'metric/acc': [null, 0.5, 0.5],
    'user_defined/layers': [[3, 5], null, { deep: true }],
    'user_defined/run_10': [1, 2, 3],
    'user_defined/run_9': [null, '-Infinity', 'Infinity'],
  },
});

test('facts are found by job and name', () => {
  expect(table.valueOf('./a', 'optimizer')).toBe('Adam');
  expect(table.valueOf('./b', 'optimizer')).toBeNull();
  expect(table.valueOf('./b', 'metric/acc')).toBe(0.5);
  expect([table.valueOf('./none', 'optimizer'), table.valueOf('./a', 'none')]).toEqual([
    undefined,
    undefined,
  ]);
});

test('restores non-finite numbers and turns structured values into text', () => {
  expect(table.column('learning_rate')).toEqual([0.1, null, NaN]);
  expect(table.column('user_defined/run_9')).toEqual([null, -Infinity, Infinity]);
  expect(table.column('user_defined/layers')).toEqual(['[3,5]', null, '{"deep":true}']);
});

test('names are in natural order; columns of a single job come with the best known first', () => {
  expect(table.names.slice(-2)).toEqual(['user_defined/run_9', 'user_defined/run_10']);
  expect(table.of('./a').map(([name]) => name)).toEqual([
    'optimizer',
    'learning_rate',
    'loss_function',
    'user_defined/layers',
    'user_defined/run_10',
  ]);
  expect(table.of('./none')).toEqual([]);
});

test('columns report whether they are numeric and whether jobs differ in them', () => {
  expect(
    ['learning_rate', 'metric/acc', 'optimizer', 'none'].map((name) => table.isNumeric(name)),
  ).toEqual([true, true, false, false]);
  expect(
    ['loss_function', 'metric/acc', 'optimizer', 'user_defined/run_10'].map((name) =>
      table.differs(name),
    ),
  ).toEqual([false, false, true, true]);
});

test('an empty table is valid', () => {
  const empty = new FactTable({ train_id: [], columns: {} });
  expect([empty.size, empty.names, empty.of('./a')]).toEqual([0, [], []]);
});

test('the facts of listed runs: newer answers first, without runs that left', () => {
  const before = new FactTable({
    train_id: ['./a', './b'],
    columns: { lr: [1, 2], seed: [7, null] },
  });
  const answer = { train_id: ['./b', './c'], columns: { lr: [3, 4] } };
  const fields = {
    lr: { kind: 'number', count: 2, differs: true },
    dropout: { kind: 'number', count: 2, differs: false },
  };
  const after = before.with(['./c', './b', './unknown'], [answer], fields);
  expect(['./a', './b', './c'].map((id) => after.valueOf(id, 'lr') ?? null)).toEqual([null, 3, 4]);
  expect(after.size).toBe(2);
  // Fields of other runs are known by name.
  expect(after.names).toEqual(['dropout', 'lr']);
  expect([after.differs('lr'), after.isNumeric('dropout')]).toEqual([true, true]);
});
