import { expect, test } from 'vitest';

import {
  cellText,
  columnLabel,
  columnOf,
  isConfig,
  isResult,
  tagCounts,
  usualColumns,
} from './columns';

test('default columns are results, then the parameters in which runs differ', () => {
  const names = [
    'batch_size',
    'dataset_mark',
    'user_defined/lr',
    'metric/acc',
    'network',
    'user_defined/seed',
  ];
  const tags = new Map<string, number>();
  expect(usualColumns({ names, tags, differs: (name) => name !== 'network' })).toEqual([
    'name',
    'state',
    'updated',
    'metric/acc',
    'batch_size',
    'user_defined/lr',
    'user_defined/seed',
    'formats',
    'points',
    'size',
    'anomalies',
    'problems',
  ]);
});

test('runs without logged metrics have the best values of scalars, validation first', () => {
  const shared = ['lr', 'train/loss', 'val/acc'];
  const tags = tagCounts([shared, shared, ['val/loss'], undefined]);
  expect([...tags]).toEqual([
    ['lr', 2],
    ['train/loss', 2],
    ['val/acc', 2],
    ['val/loss', 1],
  ]);
  const names = ['metric/b', 'metric/val_acc'];
  const usual = usualColumns({ names, tags, differs: () => true });
  expect(usual.slice(3, -5)).toEqual([
    'metric/val_acc',
    'scalar/val/acc/max',
    'scalar/val/loss/min',
    'scalar/train/loss/min',
    'metric/b',
  ]);
  expect(usual.slice(3, -5).map((id) => columnOf(id, true).better)).toEqual([
    'higher',
    'higher',
    'lower',
    'lower',
    null,
  ]);
});

test('the loss and size that MindSpore logs at the end are no config', () => {
  const names = ['learning_rate', 'loss', 'model_size'];
  expect(names.map((name) => columnOf(name, true).kind)).toEqual(['config', 'metric', 'metric']);
  expect(names.filter(isConfig)).toEqual(['learning_rate']);
  expect(names.filter(isResult)).toEqual(['loss']);
});

test('columns are named as logged', () => {
  expect(columnLabel('scalar/train/loss/last')).toBe('train/loss last');
  expect(columnLabel('metric/val/loss')).toBe('val/loss');
  expect(columnLabel('learning_rate')).toBe('learning_rate');
  expect(columnOf('user_defined/x', true)).toMatchObject({ kind: 'config', numeric: true });
});

test('cells are empty for missing values and show readable numbers', () => {
  expect(cellText('metric/acc', null, 0, 'en')).toBe('');
  expect(cellText('size', 1536, 0, 'en')).toBe('1.5 KiB');
  expect(cellText('learning_rate', 0.00012345678, 0, 'en')).toBe('1.23457e-4');
  expect(cellText('user_defined/dropout', 0.02, 0, 'en')).toBe('0.02');
  expect(cellText('metric/acc', 0.9, 0, 'en')).toBe('0.9');
  expect(cellText('spark/acc', 0.123456789, 0, 'en')).toBe('0.12346');
  expect(cellText('metric/acc', NaN, 0, 'en')).toBe('NaN');
});
