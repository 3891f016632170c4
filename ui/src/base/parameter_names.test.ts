import { expect, test } from 'vitest';

import type { Value } from './job_query';
import { fieldOf, findsName, parameterNames, usualSpellings } from './parameter_names';

const shown = (columns: Readonly<Record<string, readonly Value[]>>): readonly string[] =>
  parameterNames(Object.keys(columns), (name) => columns[name] ?? []).names;

test('a parameter has the name it was logged under, in the place of its field', () => {
  expect(
    shown({
      batch_size: [32, 64],
      learning_rate: [0.1, 0.2],
      network: ['a', null],
      'user_defined/batch_size': [32, 64],
      'user_defined/alpha': [1, 2],
      'user_defined/lr': [0.1, '0.2'],
      'user_defined/model': ['a', null],
    }),
  ).toEqual(['batch_size', 'user_defined/lr', 'user_defined/model', 'user_defined/alpha']);
});

test('a field is shown where no logged name has all of its values', () => {
  // The first run is of MindSpore, which logs fields.
  expect(shown({ learning_rate: [0.3, 0.1], 'user_defined/lr': [null, 0.1] })).toEqual([
    'learning_rate',
  ]);
  expect(
    shown({
      epoch: [3, 4],
      'user_defined/epochs': [3, null],
      'user_defined/num_epochs': [null, 4],
    }),
  ).toEqual(['epoch']);
});

test('one of two logged names with equal values is shown, and different values keep a name', () => {
  const columns = { epoch: [3], 'user_defined/epochs': [3], 'user_defined/num_epochs': [3] };
  expect(shown(columns)).toEqual(['user_defined/epochs']);
  expect(shown({ learning_rate: [0.1], 'user_defined/lr': [0.2] })).toEqual([
    'learning_rate',
    'user_defined/lr',
  ]);
  expect(shown({ learning_rate: [null, 0.1], 'user_defined/lr': ['cosine', 0.1] })).toEqual([
    'user_defined/lr',
  ]);
  expect(shown({ epoch: [null, 4], 'user_defined/epoch': ['all', 4] })).toEqual([
    'user_defined/epoch',
  ]);
  expect(shown({ 'user_defined/lr': [1], 'user_defined/seed': [1] })).toEqual([
    'user_defined/lr',
    'user_defined/seed',
  ]);
});

test('a field of several spellings is called what most runs logged', () => {
  const calledOf = (counts: Readonly<Record<string, number>>): unknown =>
    Object.fromEntries(
      usualSpellings(
        {
          shownAs: new Map(
            Object.keys(counts)
              .slice(1)
              .map((name) => [name, 'learning_rate']),
          ),
        },
        (name) => counts[name] ?? 0,
      ),
    );
  // Of 48 runs, three are of MindSpore.
  expect(calledOf({ learning_rate: 48, 'user_defined/lr': 45 })).toEqual({ learning_rate: 'lr' });
  expect(calledOf({ learning_rate: 4, 'user_defined/lr': 1 })).toEqual({});
  expect(calledOf({ learning_rate: 4, 'user_defined/lr': 2 })).toEqual({});
  expect(
    calledOf({
      learning_rate: 9,
      'user_defined/learning_rate': 3,
      'user_defined/lr': 4,
    }),
  ).toEqual({});
  expect(
    usualSpellings({ shownAs: new Map([['learning_rate', 'user_defined/lr']]) }, () => 1).size,
  ).toBe(0);
});

test('any spelling finds a parameter', () => {
  for (const typed of ['learning rate', 'learning_rate', 'LR'])
    for (const name of ['user_defined/lr', 'learning_rate', 'user_defined/Learning-Rate'])
      expect(findsName(typed, name)).toBe(true);
  expect(findsName('model', 'network')).toBe(true);
  expect(findsName('model', 'user_defined/epochs')).toBe(false);
  expect([fieldOf('user_defined/Batch Size'), fieldOf('seed')]).toEqual(['batch_size', 'seed']);
});
