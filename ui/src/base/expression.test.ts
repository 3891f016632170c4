import { expect, test } from 'vitest';

import { ExpressionError, parseExpressions, tagsOf, textOf, valueOf } from './expression';

const values = new Map([['a', 6], ['train/loss', 4], ['b-1', 2]]);
const value = (text: string): number => parseExpressions(text).map((one) => valueOf(one, values))[0] ?? NaN;

test('binds as in mathematics', () => {
  expect(value('1 + 2 * 3 ^ 2')).toBe(19);
  expect(value('(1 + 2) * 3')).toBe(9);
  expect(value('2 ^ 3 ^ 2')).toBe(512);
  expect(value('-2 ^ 2')).toBe(-4);
  expect(value('8 - 3 - 2')).toBe(3);
  expect(value('max(1, a, 2) / 2')).toBe(3);
});

test('tags may have slashes, and anything in quotes', () => {
  expect(value('train/loss * "b-1"')).toBe(8);
  expect(value('a / train/loss')).toBe(1.5);
  expect(tagsOf(parseExpressions('log(a) + train/loss - a')[0] ?? { kind: 'number', value: 0 })).toEqual(['a', 'train/loss']);
  expect(value('nobody')).toBeNaN();
});

test('commas stand between lines of one chart', () => {
  expect(parseExpressions('a, train/loss, min(a, 1)').map(textOf)).toEqual(['a', 'train/loss', 'min(a, 1)']);
});

test.each([['', 0], ['a +', 3], ['(a', 2], ['a b', 1], ['a $ b', 2], ['max(', 4]])('%s is wrong at %i', (text, at) => {
  expect(() => parseExpressions(text)).toThrow(ExpressionError);
  try {
    parseExpressions(text);
  } catch (error) {
    expect((error as ExpressionError).at).toBe(at);
  }
});
