import { expect, test } from 'vitest';

import { jobName, splitName, splitTag } from './shorten';

test('names of jobs', () => {
  expect(['./a/b', './', './.hidden'].map(jobName)).toEqual(['a/b', '.', '.hidden']);
});

test('the end of a name is kept whole', () => {
  expect(splitName('experiments/adam_lr1e-3_s0', 9)).toEqual(['experiments/adam_', 'lr1e-3_s0']);
  expect(splitName('short', 9)).toEqual(['', 'short']);
});

test('tags split at their first slash', () => {
  expect(['train/loss', 'a/b/c', 'loss', '', '/odd', 'odd/'].map(splitTag)).toEqual([
    ['train', 'loss'], ['a', 'b/c'], ['', 'loss'], ['', ''], ['', '/odd'], ['', 'odd/'],
  ]);
});
