import { expect, test } from 'vitest';

import { exactPattern, parsePattern } from './pattern';

test('is a regular expression, whatever the case', () => {
  const pattern = parsePattern('loss|^acc');
  expect(['train/Loss', 'acc/top1', 'top1/acc'].map(pattern.matches)).toEqual([true, true, false]);
});

test('what is no expression yet is searched as it is', () => {
  const pattern = parsePattern('f1(mac');
  expect(pattern.literal).toBe(true);
  expect(pattern.matches('eval/F1(macro)')).toBe(true);
  expect(pattern.matches('eval/f1')).toBe(false);
});

test('nothing matches everything', () => {
  expect(parsePattern('  ')).toMatchObject({ empty: true, literal: false });
  expect(parsePattern('').matches('')).toBe(true);
});

test('an exact pattern matches its texts and nothing else, whatever they are made of', () => {
  const texts = ['a.b', 'a+(c)', '[x]|y', '^$'];
  for (const text of texts) {
    expect(new RegExp(exactPattern([text])).test(text)).toBe(true);
    expect(new RegExp(exactPattern(texts)).test(text)).toBe(true);
  }
  for (const other of ['aXb', 'a.b.c', 'y', '']) {
    expect(new RegExp(exactPattern(texts)).test(other)).toBe(false);
  }
});
