import { describe, expect, test } from 'vitest';

import type { TrainJob, TrainJobPage } from '@/api/train_jobs';

import { keptRows, kindsOf, listingOf, updateListing } from './job_listing';
import { job as jobAt } from './jobs_for_tests';

/** A server's list of jobs, last updated first; it counts requested pages. */
class Server {
  pages = 0;

  constructor(public jobs: TrainJob[]) {}

  readonly page = (page: number, limit: number): Promise<TrainJobPage> => {
    this.pages++;
    const sorted = [...this.jobs].sort((a, b) => b.update_timestamp - a.update_timestamp);
    return Promise.resolve({
      name: 'logs',
      total: this.jobs.length,
      load_status: 'loaded',
      train_jobs: sorted.slice(page * limit, (page + 1) * limit),
    });
  };

  change(index: number, more: Partial<TrainJob>): void {
    this.jobs = this.jobs.map((one, i) => (i === index ? { ...one, ...more } : one));
  }
}

const job = (i: number): TrainJob => jobAt(`run_${i}`, i);
const jobs = (count: number): TrainJob[] => Array.from({ length: count }, (_, i) => job(i));

const NOTHING = new Map<string, TrainJob>();

describe('rows of a window', () => {
  test('are those of its runs; unchanged ones keep their identity', () => {
    const before = listingOf(jobs(3), NOTHING);
    const [changed, same] = [{ ...job(1), version: 2 }, { ...job(2) }];
    const after = keptRows(['./run_2', './run_1', './unknown'], [changed, same], before);
    expect([...after.keys()]).toEqual(['./run_2', './run_1']);
    expect(after.get('./run_2')).toBe(before.get('./run_2'));
    expect(after.get('./run_1')?.version).toBe(2);
  });

  test('are the same listing if nothing changed', () => {
    const before = listingOf(jobs(3), NOTHING);
    expect(keptRows(before.keys(), [{ ...job(1) }], before)).toBe(before);
  });
});

test('the data of all runs are known from their rows or from an overview', () => {
  const listed = listingOf([job(1)], NOTHING);
  expect(kindsOf(listed, null)).toEqual([job(1)]);
  const overview = {
    data_version: 1,
    total: 20_000,
    plugins: { scalar: 9, image: 2 },
    formats: { 'mindspore, tensorboard': 9 },
    scalar_tags: { loss: 9 },
    unmeasured_tags: {},
    lineages: 3,
    fields: {},
    parameters: [],
    shown_as: {},
  };
  expect(kindsOf(listed, overview)).toEqual([
    {
      formats: ['mindspore', 'tensorboard'],
      plugins: { scalar: ['loss'], image: [''] },
      lineage_files: 3,
    },
  ]);
});

describe('updating', () => {
  test('reads one page if one job has grown', async () => {
    const server = new Server(jobs(2_500));
    const before = listingOf(server.jobs, NOTHING);
    server.change(7, { update_timestamp: 9_999, version: 2, points: 5 });
    server.pages = 0;
    const after = await updateListing(server.page, before);
    expect(after?.get('./run_7')?.points).toBe(5);
    expect(server.pages).toBeLessThanOrEqual(2);
  });

  test('finds a new job', async () => {
    const server = new Server(jobs(300));
    const before = listingOf(server.jobs, NOTHING);
    server.jobs = [...server.jobs, job(300)];
    expect((await updateListing(server.page, before))?.size).toBe(301);
  });

  test('gives up if jobs were removed', async () => {
    const server = new Server(jobs(300));
    const before = listingOf(server.jobs, NOTHING);
    server.jobs = server.jobs.slice(1);
    expect(await updateListing(server.page, before)).toBeNull();
  });

  test('returns the same listing if nothing changed', async () => {
    const server = new Server(jobs(300));
    const before = listingOf(server.jobs, NOTHING);
    expect(await updateListing(server.page, before)).toBe(before);
  });

  test('keeps the tags of a job evicted from memory', async () => {
    const server = new Server(jobs(3));
    const before = listingOf(server.jobs, NOTHING);
    server.change(1, { cache_status: 'NOT_IN_CACHE', plugins: {}, version: 2 });
    expect((await updateListing(server.page, before))?.get('./run_1')?.plugins).toEqual({
      scalar: ['loss'],
    });
    expect(listingOf(server.jobs, before).get('./run_1')?.plugins).toEqual({ scalar: ['loss'] });
  });
});
