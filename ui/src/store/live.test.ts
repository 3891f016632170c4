import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { currentTransport, setTransport } from '@/api/transport';

import { job } from './jobs_for_tests';
import { useLive } from './live';
import { useStatus } from './status';
import { useTrainJobs } from './train_jobs';

/** A server that announces changes. */
class Server {
  failing = false;
  /** Milliseconds until rows of runs are answered. */
  delay = 0;
  /** Requests of this route are never answered. */
  hanging = '';
  readonly requests = new Map<string, number>();
  private version = 1;
  private waiting: (() => void)[] = [];

  change(): void {
    this.version++;
    for (const announce of this.waiting) announce();
    this.waiting = [];
  }

  readonly fetch = (url: URL, { signal }: RequestInit): Promise<Response> => {
    const route = url.pathname.split('/').at(-1) ?? '';
    this.requests.set(route, (this.requests.get(route) ?? 0) + 1);
    if (route === this.hanging)
      return new Promise((_, fail) => {
        signal?.addEventListener('abort', () => fail(signal.reason as Error));
      });
    if (this.failing && route.startsWith('train-job'))
      return Promise.resolve(
        Response.json({ error_code: '50540000', error_msg: 'Broken.' }, { status: 500 }),
      );
    const isNew = route !== 'changes' || Number(url.searchParams.get('after')) !== this.version;
    const changed = isNew
      ? Promise.resolve()
      : new Promise<void>((done) => {
          this.waiting.push(done);
        });
    const delay = route.startsWith('train-job') ? this.delay : 0;
    return changed
      .then(() => delay > 0 && new Promise((done) => setTimeout(done, delay)))
      .then(() => Response.json(this.answers(route)));
  };

  private answers(route: string): object {
    const state = { load_status: 'loaded', data_version: this.version, summary_base_dir: '/logs' };
    const run = job('a', 1);
    if (route === 'train-jobs') return { ...state, total: 1, train_jobs: [run] };
    const columns = Object.entries(run).map(([name, value]) => [name, [value as unknown]]);
    return { ...state, total: 1, most_listed: 9, columns: Object.fromEntries(columns) as unknown };
  }
}

let server: Server;

beforeEach(() => {
  vi.useFakeTimers();
  server = new Server();
  vi.stubGlobal('document', {
    baseURI: 'http://host/',
    hidden: false,
    addEventListener: () => undefined,
  });
  vi.stubGlobal('fetch', server.fetch);
  setActivePinia(createPinia());
});
afterEach(() => {
  useLive().paused = true;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('while the list of runs fails, it is requested no more often than the status is polled', async () => {
  const live = useLive();
  live.start();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(live.dataVersion).toBe(1);
  server.requests.clear();
  server.failing = true;
  server.change();
  await vi.advanceTimersByTimeAsync(8_000);
  expect(useTrainJobs().problem).toBe('Broken.');
  expect(server.requests.get('status')).toBeLessThanOrEqual(12);
  server.failing = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect([live.dataVersion, useTrainJobs().problem]).toEqual([2, null]);
});

test('the pause after a slow update is limited', async () => {
  const live = useLive();
  live.start();
  await vi.advanceTimersByTimeAsync(2_000);
  server.delay = 20_000;
  server.change();
  await vi.advanceTimersByTimeAsync(22_000);
  expect(live.dataVersion).toBe(2);
  server.delay = 0;
  server.change();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(live.dataVersion).toBe(3);
});

test('a listener that never finishes does not stop updates', async () => {
  const live = useLive();
  const heard: number[] = [];
  live.onChange(() => new Promise(() => undefined));
  live.onChange((version) => {
    heard.push(version);
    return Promise.resolve();
  });
  live.start();
  await vi.advanceTimersByTimeAsync(40_000);
  server.change();
  await vi.advanceTimersByTimeAsync(40_000);
  expect(new Set(heard)).toEqual(new Set([1, 2]));
});

test('a status that is never answered is reported, and requested again', async () => {
  const live = useLive();
  const status = useStatus();
  server.hanging = 'status';
  live.start();
  await vi.advanceTimersByTimeAsync(61_000);
  expect(status.problem).toBe('timed out');
  server.hanging = '';
  await vi.advanceTimersByTimeAsync(60_000);
  expect([status.problem, live.dataVersion]).toEqual([null, 1]);
});

test.each(['train-job-columns', 'train-jobs'])(
  'a list of runs (%s) that is never answered is reported, and requested again',
  async (route) => {
    const live = useLive();
    const jobs = useTrainJobs();
    const isFirst = route === 'train-job-columns';
    if (isFirst) server.hanging = route;
    live.start();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(jobs.known).toBe(!isFirst);
    server.hanging = route;
    server.change();
    await vi.advanceTimersByTimeAsync(122_000);
    expect(jobs.problem).toBe('timed out');
    server.hanging = '';
    await vi.advanceTimersByTimeAsync(125_000);
    expect([jobs.problem, jobs.known, live.dataVersion]).toEqual([null, true, 2]);
  },
);

test('a transport whose answers never change is asked once', async () => {
  const before = currentTransport();
  setTransport({ ...before, fetch: server.fetch, isLive: false });
  try {
    useLive().start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(useTrainJobs().known).toBe(true);
    expect(server.requests.get('status')).toBe(1);
    expect(server.requests.get('changes')).toBeUndefined();
  } finally {
    setTransport(before);
  }
});
