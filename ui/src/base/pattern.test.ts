import { expect, test } from 'vitest';

import { exactPattern, parsePattern } from './pattern';

test('matches a regular expression and ignores case', () => {
  const pattern = parsePattern('loss|^acc');
  expect(['train/Loss', 'acc/top1', 'top1/acc'].map(pattern.matches)).toEqual([true, true, false]);
});

test('searches an invalid expression as plain text', () => {
  const pattern = parsePattern('f1(mac');
  expect(pattern.literal).toBe(true);
  expect(pattern.matches('eval/F1(macro)')).toBe(true);
  expect(pattern.matches('eval/f1')).toBe(false);
});

test('an empty pattern matches everything', () => {
  expect(parsePattern('  ')).toMatchObject({ empty: true, literal: false });
  expect(parsePattern('').matches('')).toBe(true);
});

test('an exact pattern matches only its texts, with any characters', () => {
  const texts = ['a.b', 'a+(c)', '[x]|y', '^$'];
  for (const text of texts) {
    expect(new RegExp(exactPattern([text])).test(text)).toBe(true);
    expect(new RegExp(exactPattern(texts)).test(text)).toBe(true);
  }
  for (const other of ['aXb', 'a.b.c', 'y', '']) {
    expect(new RegExp(exactPattern(texts)).test(other)).toBe(false);
  }
});
