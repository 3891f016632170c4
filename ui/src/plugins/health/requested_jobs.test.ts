import { expect, test } from 'vitest';

import { requestedJobs } from './requested_jobs';

test('names the selected jobs or the excluded ones, whichever are fewer', () => {
  expect(requestedJobs(['a', 'b', 'c'], ['a', 'b', 'c'])).toEqual({ train_id: [], without: [] });
  expect(requestedJobs(['a', 'b', 'd'], ['a', 'b', 'c', 'd'])).toEqual({
    train_id: [],
    without: ['c'],
  });
  expect(requestedJobs(['a', 'b'], ['a', 'b', 'c', 'd'])).toEqual({
    train_id: ['a', 'b'],
    without: [],
  });
});
