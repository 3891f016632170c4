import { expect, test } from 'vitest';

import { ExpressionError, formulaOf, parseExpressions, tagsOf, textOf } from './expression';

const formula = (text: string): string => parseExpressions(text).map(formulaOf)[0] ?? '';

test('binds as in mathematics', () => {
  expect(formula('1 + 2 * 3 ^ 2')).toBe('(1 + (2 * (3 ** 2)))');
  expect(formula('(1 + 2) * 3')).toBe('((1 + 2) * 3)');
  expect(formula('2 ^ 3 ^ 2')).toBe('(2 ** (3 ** 2))');
  expect(formula('-2 ^ 2')).toBe('(0 - (2 ** 2))');
  expect(formula('8 - 3 - 2')).toBe('((8 - 3) - 2)');
  expect(formula('max(1, a, 2) / 2 % 3')).toBe('((max(1, `a`, 2) / 2) % 3)');
  expect(formula('min(a) + cumsum(diff(a))')).toBe('(`a` + cumsum(diff(`a`)))');
});

test('tags may have slashes, and anything in quotes', () => {
  expect(formula('train/loss * "b-1"')).toBe('(`train/loss` * `b-1`)');
  expect(formula('a / train/loss')).toBe('(`a` / `train/loss`)');
  expect(formula('"a`b" + 1')).toBe('(`a``b` + 1)');
  expect(
    tagsOf(parseExpressions('log(a) + train/loss - a')[0] ?? { kind: 'number', value: 0 }),
  ).toEqual(['a', 'train/loss']);
});

test('commas stand between lines of one chart', () => {
  expect(parseExpressions('a, train/loss, min(a, 1)').map(textOf)).toEqual([
    'a',
    'train/loss',
    'min(a, 1)',
  ]);
});

test.each([
  ['', 0],
  ['a +', 3],
  ['(a', 2],
  ['a b', 1],
  ['a $ b', 2],
  ['max(', 4],
  ['abs(a, b)', 5],
])('%s is wrong at %i', (text, at) => {
  expect(() => parseExpressions(text)).toThrow(ExpressionError);
  try {
    parseExpressions(text);
  } catch (error) {
    expect((error as ExpressionError).at).toBe(at);
  }
});
