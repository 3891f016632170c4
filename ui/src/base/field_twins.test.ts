import { expect, test } from 'vitest';

import { withoutRepeats, withoutTwins } from './field_twins';

test('a value with a dedicated field is listed once', () => {
  expect(withoutTwins(['learning_rate', 'user_defined/lr', 'user_defined/seed'])).toEqual([
    'learning_rate',
    'user_defined/seed',
  ]);
  expect(withoutTwins(['optimizer', 'user_defined/optimizer'])).toEqual(['optimizer']);
  expect(withoutTwins(['user_defined/lr', 'user_defined/epochs'])).toEqual([
    'user_defined/lr',
    'user_defined/epochs',
  ]);
});

test('equal values under two names are shown once, different values twice', () => {
  const told = (facts: Record<string, string>): string[] =>
    withoutRepeats(
      Object.entries(facts),
      ([name]) => name,
      ([, words]) => words,
    ).map(([name]) => name);
  expect(
    told({
      learning_rate: '0.1',
      lr: '0.1',
      optimizer: 'adam',
      'user_defined/optimizer': 'adam',
      'user_defined/lr': '0.1',
    }),
  ).toEqual(['learning_rate', 'optimizer']);
  expect(told({ learning_rate: '0.1', 'user_defined/lr': '0.2' })).toEqual([
    'learning_rate',
    'user_defined/lr',
  ]);
  expect(told({ 'user_defined/lr': '0.2', lr: '0.2' })).toEqual(['user_defined/lr']);
});
