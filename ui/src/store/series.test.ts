import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { effectScope, nextTick, ref, type EffectScope } from 'vue';

import type { Series } from '@/api/series';

import { job, listing } from './jobs_for_tests';
import { useSeries, useSeriesOfJobs, type KnownSeries } from './series';
import { useTrainJobs } from './train_jobs';

interface Asked {
  readonly trainId: string;
  readonly since: string | null;
  readonly sample: string | null;
  readonly answer: (steps: readonly number[], more?: object) => void;
  readonly fail: (status: number, code: string, message: string) => void;
}

let asked: Asked[];
let scope: EffectScope;

beforeEach(() => {
  asked = [];
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  vi.stubGlobal('fetch', ({ searchParams }: URL) => {
    let resolve: (response: Response) => void = () => undefined;
    const promise = new Promise<Response>((done) => {
      resolve = done;
    });
    const trainId = searchParams.get('train_id') ?? '';
    asked.push({
      trainId,
      since: searchParams.get('since'),
      sample: searchParams.get('sample'),
      answer: (step, more) => {
        const series = { train_id: trainId, step, total: step.length, problems: [], cursor: 'c' };
        resolve(Response.json({ ...series, ...more }));
      },
      fail: (status, error_code, error_msg) => {
        resolve(Response.json({ error_code, error_msg }, { status }));
      },
    });
    return promise;
  });
  setActivePinia(createPinia());
  useTrainJobs().byId = listing(job('a', 1), job('b', 2));
  scope = effectScope();
});

afterEach(() => {
  scope.stop();
  vi.unstubAllGlobals();
});

function follow(trainId: () => string, plugin = 'image'): KnownSeries<Series> {
  const series = scope.run(() => useSeries<Series>(plugin, trainId, () => 'tag'));
  if (!series) throw new Error('The scope is not active.');
  return series;
}

function at(index: number): Asked {
  const one = asked[index];
  if (!one) throw new Error(`There was no request number ${index}.`);
  return one;
}

test('a series shown several times is requested once', async () => {
  const [one, two] = [follow(() => './a'), follow(() => './a')];
  expect(one.waiting.value).toBe(true);
  at(0).answer([1, 2]);
  await vi.waitUntil(() => !one.waiting.value);
  expect(asked).toHaveLength(1);
  expect(two.series.value).toBe(one.series.value);
});

test('when its job changes, only new data is requested with a cursor and appended', async () => {
  const known = follow(() => './a');
  at(0).answer([1, 2]);
  await vi.waitUntil(() => known.series.value);
  useTrainJobs().byId = listing(job('a', 1, { version: 2 }), job('b', 2));
  await nextTick();
  expect(at(1).since).toBe('c');
  at(1).answer([3], { reset: false, total: 3 });
  await vi.waitUntil(() => known.series.value?.step.length === 3);
  expect(known.series.value?.step).toEqual([1, 2, 3]);
});

test('at most four requests run at a time, the latest first', async () => {
  const jobs = Array.from({ length: 7 }, (_, i) => job(`run_${i}`, i));
  useTrainJobs().byId = listing(...jobs);
  for (const { train_id } of jobs) follow(() => train_id);
  expect(asked).toHaveLength(4);
  at(0).answer([]);
  await vi.waitUntil(() => asked.length === 5);
  expect(at(4).trainId).toBe('./run_6');
});

test('requests fewer steps of a series that is too large for one answer', async () => {
  const known = follow(() => './a');
  expect(at(0).sample).toBeNull();
  at(0).fail(413, '50545013', 'Too large.');
  await vi.waitUntil(() => asked.length === 2);
  expect(at(1).sample).toBe('512');
  at(1).fail(413, '50545013', 'Too large.');
  await vi.waitUntil(() => asked.length === 3);
  expect(at(2).sample).toBe('128');
  at(2).answer([1, 9], { total: 900 });
  await vi.waitUntil(() => known.series.value);
  expect(known.sampled.value).toEqual([2, 900]);
});

test('a failure is reported until a retry succeeds', async () => {
  const known = follow(() => './a');
  at(0).fail(400, '50540002', 'Wrong.');
  await vi.waitUntil(() => known.problem.value !== null);
  expect([known.problem.value, known.waiting.value]).toEqual(['Wrong.', false]);
  known.retry();
  at(1).answer([1]);
  await vi.waitUntil(() => known.series.value);
  expect(known.problem.value).toBeNull();
});

test('accepts new arguments', async () => {
  const trainId = ref('./a');
  const known = follow(() => trainId.value);
  at(0).answer([1]);
  await vi.waitUntil(() => known.series.value);
  trainId.value = './b';
  await nextTick();
  expect(known.series.value).toBeNull();
  at(1).answer([5]);
  await vi.waitUntil(() => known.series.value);
  expect(known.series.value?.train_id).toBe('./b');
});

test('series of several jobs follow the list of jobs', async () => {
  const ids = ref(['./a', './b']);
  const known = scope.run(() =>
    useSeriesOfJobs<Series>(
      'image',
      () => ids.value,
      () => 'tag',
    ),
  );
  expect([...(known?.value.keys() ?? [])]).toEqual(['./a', './b']);
  const second = known?.value.get('./b');
  ids.value = ['./b'];
  await nextTick();
  expect(known?.value.size).toBe(1);
  expect(known?.value.get('./b')).toBe(second);
});
