import { expect, test } from 'vitest';

import { jobState } from './job_state';

test('a job that goes silent is stalled for a while, then over', () => {
  expect([0, 299, 300, 3_599, 3_600].map((silent) => jobState(1_000, 1_000 + silent))).toEqual([
    'running', 'running', 'stalled', 'stalled', 'finished',
  ]);
});

test('what the log says of its end counts more', () => {
  expect(jobState(1_000, 1_001, 'failure')).toBe('failed');
  expect(jobState(1_000, 1_001, 'success')).toBe('finished');
});
