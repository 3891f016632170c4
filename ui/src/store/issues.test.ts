import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nextTick } from 'vue';

import type { Status } from '@/api/status';

import { useIssues } from './issues';
import { useStatus } from './status';

beforeEach(() => {
  vi.useFakeTimers();
  setActivePinia(createPinia());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('counts errors and warnings of all runs until the server has checked all', async () => {
  const answers = [
    {
      train_jobs: 20,
      looked_into: 5,
      outdated: 0,
      severities: { severe: 1, warning: 0, note: 9 },
      diverged: {},
    },
    {
      train_jobs: 20,
      looked_into: 20,
      outdated: 0,
      severities: { severe: 1, warning: 3, note: 9 },
      diverged: { './a': ['nan', 'infinity'] },
    },
  ];
  const requests: string[] = [];
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  vi.stubGlobal('fetch', (url: string | URL) => {
    requests.push(String(url));
    return Promise.resolve(Response.json(answers[requests.length - 1]));
  });
  const issues = useIssues();
  issues.start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests).toEqual([]);

  useStatus().status = { load_status: 'loaded', data_version: 1 } as Status;
  await nextTick();
  // The first charts are requested before.
  await vi.advanceTimersByTimeAsync(999);
  expect(requests).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect([issues.count, issues.divergenceOf('./a')]).toEqual([1, []]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(issues.count).toBe(4);
  expect(issues.divergenceOf('./a')).toEqual(['nan', 'infinity']);
  expect(issues.divergenceOf('./b')).toEqual([]);
  expect(requests).toHaveLength(2);
  expect(requests[0]).toContain('findings?limit=0');
});
