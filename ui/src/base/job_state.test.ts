import { expect, test } from 'vitest';

import { isUnfinished, jobState } from './job_state';

const atThousand = (session_status: string | null = null) => ({
  update_timestamp: 1_000,
  session_status,
});

test('a silent job is stalled for a while, then ended', () => {
  expect(
    [0, 299, 300, 3_599, 3_600].map((silent) => jobState(atThousand(), 1_000 + silent)),
  ).toEqual(['running', 'running', 'stalled', 'stalled', 'finished']);
});

test('the end recorded in the log takes precedence', () => {
  expect(jobState(atThousand('failure'), 1_001)).toBe('failed');
  expect(jobState(atThousand('success'), 1_001)).toBe('finished');
});

test('runs may log more until they ended', () => {
  const states = ['running', 'stalled', 'finished', 'failed'] as const;
  expect(states.filter(isUnfinished)).toEqual(['running', 'stalled']);
});
