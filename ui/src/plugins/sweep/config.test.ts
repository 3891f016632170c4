import { expect, test } from 'vitest';

import { differs, isIdentifier, mostKnown, parametersIn, resultsIn, varies } from './config';

test('config and results are apart; the best known metric is the first result', () => {
  const names = [
    'user_defined/lr',
    'loss',
    'metric/train/acc',
    'metric/val/acc',
    'session_status',
    'optimizer',
    'scalar/val/loss/last',
  ];
  expect(parametersIn(names)).toEqual(['user_defined/lr', 'optimizer']);
  expect(resultsIn([...names, 'metric/hp_metric', 'metric/accuracy'])).toEqual([
    'metric/val/acc',
    'metric/accuracy',
    'metric/train/acc',
    'scalar/val/loss/last',
    'loss',
    'metric/hp_metric',
  ]);
});

test('a parameter that only some runs have differs, but does not vary', () => {
  expect([differs([1, null]), varies([1, null])]).toEqual([true, false]);
  expect([differs([1, 1]), differs([null, undefined]), differs([1, 2])]).toEqual([
    false,
    false,
    true,
  ]);
  expect([varies([1, 2]), varies([NaN, 1])]).toEqual([true, false]);
});

test('texts that differ in most runs are identifiers, numbers are not', () => {
  expect(isIdentifier(['a', 'b', 'c', 'd', 'e', 'f'])).toBe(true);
  expect(isIdentifier(['a', 'b', 'c', 'd', 'e', 'a'])).toBe(false);
  expect(isIdentifier(['adam', 'sgd', 'lion'])).toBe(false);
  expect(isIdentifier([1, 2, 3, 4, 5, 6])).toBe(false);
  expect(isIdentifier(Array.from({ length: 12 }, (_, i) => `run ${i % 8}`))).toBe(true);
  expect(isIdentifier(Array.from({ length: 12 }, (_, i) => `model ${i % 4}`))).toBe(false);
});

test('axes are those that most runs have, in their order', () => {
  const values: Record<string, (number | null)[]> = { a: [1, null], b: [1, 2], c: [1, 2] };
  const of = (field: string): (number | null)[] => values[field] ?? [];
  expect(mostKnown(['a', 'b', 'c'], of, 2)).toEqual(['b', 'c']);
  expect(mostKnown(['a', 'b', 'c'], of, 3)).toEqual(['a', 'b', 'c']);
});
