import { expect, test } from 'vitest';

import { askedJobs } from './asked_jobs';

test('the smaller part of all jobs is named', () => {
  expect(askedJobs(['a', 'b', 'c'], ['a', 'b', 'c'])).toEqual({ train_id: [], without: [] });
  expect(askedJobs(['a', 'b', 'd'], ['a', 'b', 'c', 'd'])).toEqual({
    train_id: [],
    without: ['c'],
  });
  expect(askedJobs(['a', 'b'], ['a', 'b', 'c', 'd'])).toEqual({
    train_id: ['a', 'b'],
    without: [],
  });
});
