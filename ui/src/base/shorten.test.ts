import { describe, expect, it, test } from 'vitest';

import { jobName, shortened, splitTag } from './shorten';

test('names of jobs', () => {
  expect(['./a/b', './', './.hidden'].map(jobName)).toEqual(['a/b', '.', '.hidden']);
});

test('tags split at their first slash', () => {
  expect(['train/loss', 'a/b/c', 'loss', '', '/odd', 'odd/'].map(splitTag)).toEqual([
    ['train', 'loss'], ['a', 'b/c'], ['', 'loss'], ['', ''], ['', '/odd'], ['', 'odd/'],
  ]);
});

describe('shortened', () => {
  it('keeps both ends of what is too long', () => {
    expect([shortened('abcdefghij', 10), shortened('abcdefghijk', 7)]).toEqual(['abcdefghij', 'abc…ijk']);
  });
});
