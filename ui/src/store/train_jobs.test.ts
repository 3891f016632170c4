import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Status } from '@/api/status';
import type { TrainJob } from '@/api/train_jobs';

import { job, listing } from './jobs_for_tests';
import { useTrainJobs } from './train_jobs';

/** The server's list of jobs; it counts requests by route. */
class Server {
  jobs: TrainJob[] = [];
  version = 1;
  mostListed = 1_000;
  requests: string[] = [];
  failing = false;

  get status(): Status {
    return {
      load_status: 'loaded',
      data_version: this.version,
      train_jobs: this.jobs.length,
    } as Status;
  }

  readonly fetch = (url: URL): Promise<Response> => {
    const route = url.pathname.split('/').at(-1) ?? '';
    this.requests.push(route);
    if (this.failing)
      return Promise.resolve(
        Response.json({ error_code: '50540000', error_msg: 'Broken.' }, { status: 500 }),
      );
    return Promise.resolve(
      Response.json(route === 'train-jobs' ? this.page(url) : this.columns(url)),
    );
  };

  private page({ searchParams }: URL) {
    const [offset, limit] = ['offset', 'limit'].map((name) => Number(searchParams.get(name)));
    const sorted = [...this.jobs].sort((a, b) => b.update_timestamp - a.update_timestamp);
    const first = (offset ?? 0) * (limit ?? 0);
    return { total: sorted.length, train_jobs: sorted.slice(first, first + (limit ?? 0)) };
  }

  private columns({ searchParams }: URL) {
    const ids = searchParams.getAll('train_id');
    const limit = Number(searchParams.get('limit') ?? this.jobs.length);
    const rows = this.jobs
      .filter((one) => ids.length === 0 || ids.includes(one.train_id))
      .slice(0, limit);
    const names = Object.keys(job('any', 0)) as (keyof TrainJob)[];
    const columns = names.map((name) => [name, rows.map((one) => one[name])]);
    return {
      ...this.status,
      total: this.jobs.length,
      most_listed: this.mostListed,
      columns: Object.fromEntries(columns) as unknown,
    };
  }
}

let server: Server;

beforeEach(() => {
  server = new Server();
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  vi.stubGlobal('fetch', server.fetch);
  setActivePinia(createPinia());
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('jobs are sorted by update, creation and name', () => {
  const jobs = useTrainJobs();
  jobs.byId = listing(
    job('run_10', 1, { update_timestamp: 9 }),
    job('run_9', 2, { update_timestamp: 5 }),
    job('run_8', 2, { update_timestamp: 5 }),
  );
  const ids = (all: readonly TrainJob[]): string[] => all.map((one) => one.train_id.slice(2));
  expect(ids(jobs.lastUpdatedFirst)).toEqual(['run_10', 'run_8', 'run_9']);
  expect(ids(jobs.newestCreatedFirst)).toEqual(['run_8', 'run_9', 'run_10']);
  expect(ids(jobs.byName)).toEqual(['run_8', 'run_9', 'run_10']);
});

test('the first listing is not read again for its own status', async () => {
  server.jobs = [job('a', 1)];
  const jobs = useTrainJobs();
  await jobs.begin();
  await jobs.refresh(server.status, false);
  expect([jobs.known, jobs.total, jobs.byId.has('./a')]).toEqual([true, 1, true]);
  expect(server.requests.filter((route) => route === 'train-job-columns')).toHaveLength(1);
});

test('once everything is loaded, only changed pages are read', async () => {
  server.jobs = Array.from({ length: 300 }, (_, i) => job(`run_${i}`, i));
  const jobs = useTrainJobs();
  await jobs.refresh(server.status, false);
  server.requests = [];
  server.jobs = [...server.jobs, job('new', 999)];
  await jobs.refresh(server.status, true);
  expect(jobs.byId.has('./new')).toBe(true);
  expect(server.requests).toEqual(['train-jobs', 'train-jobs']);
});

test('reloads the whole listing after a job is removed', async () => {
  server.jobs = [job('a', 1), job('b', 2)];
  const jobs = useTrainJobs();
  await jobs.refresh(server.status, false);
  server.jobs = [job('a', 1)];
  await jobs.refresh(server.status, true);
  expect([...jobs.byId.keys()]).toEqual(['./a']);
  expect(jobs.total).toBe(1);
});

test('a failure is reported and the known jobs stay', async () => {
  server.jobs = [job('a', 1)];
  const jobs = useTrainJobs();
  await jobs.refresh(server.status, false);
  server.failing = true;
  await jobs.refresh(server.status, true);
  expect([jobs.problem, jobs.byId.size]).toEqual(['Broken.', 1]);
  server.failing = false;
  await jobs.refresh(server.status, true);
  expect(jobs.problem).toBeNull();
});

test('of medium folders, the first rows are listed before all others', async () => {
  server.jobs = Array.from({ length: 1_200 }, (_, i) => job(`run_${i}`, i));
  server.mostListed = 2_000;
  const jobs = useTrainJobs();
  await jobs.begin();
  expect([jobs.byId.size, jobs.complete, jobs.window]).toEqual([1_200, true, null]);
  expect(server.requests).toEqual(['train-job-columns', 'train-job-columns']);
});

test('of large folders, only a part is listed: what pages and users ask for', async () => {
  server.jobs = Array.from({ length: 1_001 }, (_, i) => job(`run_${i}`, i));
  const jobs = useTrainJobs();
  await jobs.begin();
  await jobs.refresh(server.status, true);
  expect([jobs.total, jobs.complete, jobs.window?.ids]).toEqual([1_001, true, []]);
  expect(server.requests).toEqual(['train-job-columns']);
  jobs.keep(['./run_7'], []);
  expect([...jobs.byId.keys()]).toEqual(['./run_7']);
  expect(jobs.total).toBe(1_001);
});

test('a folder that grows beyond the limit is no longer listed as a whole, and is again', async () => {
  server.jobs = Array.from({ length: 300 }, (_, i) => job(`run_${i}`, i));
  const jobs = useTrainJobs();
  await jobs.begin();
  await jobs.refresh(server.status, true);
  server.mostListed = 300;
  server.version++;
  await jobs.refresh(server.status, false);
  const few = server.jobs;
  server.jobs = [...few, job('new', 999)];
  server.version++;
  await jobs.refresh(server.status, true);
  expect(jobs.window).not.toBeNull();
  server.jobs = few;
  server.version++;
  await jobs.refresh(server.status, true);
  expect([jobs.window, jobs.byId.size, jobs.total]).toEqual([null, 300, 300]);
});
