import { expect, test } from 'vitest';

import { jobName, splitTag } from './shorten';

test('names of jobs', () => {
  expect(['./a/b', './', './.hidden'].map(jobName)).toEqual(['a/b', '.', '.hidden']);
});

test('tags split at their first slash', () => {
  expect(['train/loss', 'a/b/c', 'loss', '', '/odd', 'odd/'].map(splitTag)).toEqual([
    ['train', 'loss'], ['a', 'b/c'], ['', 'loss'], ['', ''], ['', '/odd'], ['', 'odd/'],
  ]);
});
