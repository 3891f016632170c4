import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nextTick } from 'vue';

import type { Status } from '@/api/status';
import type { TrainJob } from '@/api/train_jobs';

import { useIssues } from './issues';
import { job } from './jobs_for_tests';
import { useStatus } from './status';
import { useTrainJobs } from './train_jobs';

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

test('rows of a window count their own events, not those of before the window', async () => {
  const answer = {
    train_jobs: 2,
    looked_into: 2,
    outdated: 0,
    severities: { severe: 0, warning: 0, note: 0 },
    diverged: {},
  };
  const before = { severe: 1, warning: 0, note: 0 };
  const [row, events] = [job('a', 1), { severe: 0, warning: 2, note: 0 }];
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  vi.stubGlobal('fetch', () =>
    Promise.resolve(
      Response.json(useTrainJobs().window ? answer : { ...answer, runs: { './a': before } }),
    ),
  );
  const issues = useIssues();
  await issues.refresh();
  expect(issues.eventsOf(row)).toEqual(before);
  useTrainJobs().window = { ids: ['./a'], matching: 1 };
  await issues.refresh();
  expect(issues.eventsOf({ ...row, events })).toEqual(events);
});

test('events of a run are those counted last, else those of its row', async () => {
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  const none = { severe: 0, warning: 0, note: 0 };
  const runs: Record<string, typeof none> = { './a': { ...none, severe: 2 } };
  vi.stubGlobal('fetch', () =>
    Promise.resolve(
      Response.json({
        train_jobs: 2,
        looked_into: 2,
        outdated: 0,
        severities: none,
        diverged: {},
        runs,
      }),
    ),
  );
  const issues = useIssues();
  const of = (train_id: string, events?: typeof none) =>
    issues.eventsOf({ train_id, ...(events && { events }) } as TrainJob);
  expect([of('./a'), of('./a', none)]).toEqual([null, none]);
  await issues.refresh();
  expect(of('./a', none)).toEqual({ severe: 2, warning: 0, note: 0 });
  expect(of('./b', { ...none, warning: 1 })).toEqual({ severe: 0, warning: 1, note: 0 });
  expect(of('constructor')).toBeNull();
});
