import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { TrainJob } from '@/api/train_jobs';
import { TOGETHER } from '@/base/run_groups';

import { useAnnotations } from './annotations';
import { FactTable } from './fact_table';
import { useJobFacts } from './job_facts';
import { job, listing } from './jobs_for_tests';
import { USUAL_ORDER, useRunOrder } from './run_order';
import { useTrainJobs } from './train_jobs';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  setActivePinia(createPinia());
  useTrainJobs().byId = listing(job('a', 1), job('b', 2), job('c', 3), job('d', 4));
  useJobFacts().table = new FactTable({
    train_id: ['./a', './b', './c', './d'],
    columns: {
      'user_defined/lr': [0.1, 0.01, null, 0.1],
      'user_defined/seed': [0, 0, 1, 1],
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const names = (): string[] => useRunOrder().sorted.map((one) => one.train_id);

test('new runs come first, and pinned ones before all', () => {
  expect(names()).toEqual(['./d', './c', './b', './a']);
  useAnnotations().byId = new Map([['./b', { pinned: true }]]);
  expect(names()).toEqual(['./b', './d', './c', './a']);
});

test('runs without the value come last in either direction, ties by the next key', () => {
  const order = useRunOrder();
  order.sort = ['lr', 'created'];
  expect(names()).toEqual(['./b', './a', './d', './c']);
  order.sort = ['-lr', '-created'];
  expect(names()).toEqual(['./d', './a', './b', './c']);
});

test('runs by anomalies begin with the most severe ones', () => {
  const events = (severe: number, warning: number): Partial<TrainJob> => ({
    events: { severe, warning, note: 0 },
  });
  useTrainJobs().byId = listing(
    { ...job('a', 1), ...events(0, 5) },
    { ...job('b', 2), ...events(1, 0) },
    { ...job('c', 3), ...events(1, 2) },
    { ...job('d', 4), ...events(0, 0) },
  );
  const order = useRunOrder();
  order.sort = ['-anomalies'];
  expect(names()).toEqual(['./c', './b', './a', './d']);
  order.sort = ['anomalies'];
  expect(names()).toEqual(['./d', './a', './b', './c']);
});

test('each run without config is a line in charts; in the table they are one group', () => {
  const order = useRunOrder();
  order.by = ['*-seed'];
  expect(order.sorted.map(order.lineNamer(order.sorted))).toEqual([
    'lr 0.1',
    'c',
    'lr 0.01',
    'lr 0.1',
  ]);
  expect(order.sorted.map(order.groupNamer(order.sorted))[1]).toBe('');
  // Without the value of a selected field they do have something in common.
  order.by = ['lr'];
  expect(order.sorted.map(order.lineNamer(order.sorted))[1]).toBe('');
});

test('a group is named by the values that its runs share', () => {
  const order = useRunOrder();
  order.by = ['lr'];
  expect(order.sorted.map(order.groupNamer(order.sorted))).toEqual(['0.1', '', '0.01', '0.1']);
  order.by = ['*-seed'];
  expect(order.groupedBy).toEqual(['user_defined/lr']);
  expect(order.sorted.map(order.groupNamer(order.sorted))).toEqual([
    'lr 0.1',
    '',
    'lr 0.01',
    'lr 0.1',
  ]);
  // Numbers as in tables, unless groups would have equal names.
  const { table } = useJobFacts();
  const named = (...rates: number[]): string[] => {
    useJobFacts().table = new FactTable({
      train_id: ['./a', './b'],
      columns: { 'user_defined/lr': rates, 'user_defined/seed': [0, 1] },
    });
    const jobs = [job('a', 1), job('b', 2)];
    return jobs.map(order.groupNamer(jobs));
  };
  expect(named(0.00005, 0.1)).toEqual(['lr 5e-5', 'lr 0.1']);
  expect(named(20_261_101, 20_261_102)).toEqual(['lr 20,261,101', 'lr 20,261,102']);
  useJobFacts().table = table;
  // Alone, it would have no name.
  const alone = order.sorted.slice(0, 1);
  expect(alone.map(order.groupNamer(alone))).toEqual(['lr 0.1']);
  order.by = [TOGETHER];
  expect(new Set(order.sorted.map(order.groupNamer(order.sorted)))).toEqual(new Set(['']));
  expect(order.isSingle).toBe(true);
});

test('the panel shows the result that runs are sorted by until another metric is selected', () => {
  const order = useRunOrder();
  expect(order.metric).toBe('');
  order.sort = ['-scalar/val/acc/max', 'name'];
  expect([order.metric, order.urlPart.write()['metric']]).toEqual([
    'scalar/val/acc/max',
    undefined,
  ]);
  order.sort = ['lr'];
  expect(order.metric).toBe('');
  order.metric = 'scalar/loss/min';
  order.sort = ['-scalar/val/acc/max'];
  expect(order.metric).toBe('scalar/loss/min');
});

test('order, groups and metric are in the URL', () => {
  const order = useRunOrder();
  expect(Object.values(order.urlPart.write()).filter(Boolean)).toEqual([]);
  const view = { order: '-lr~name', by: '*-seed', metric: 'scalar/acc/max' };
  order.urlPart.read(view);
  expect([order.sort, order.by, order.metric]).toEqual([
    ['-lr', 'name'],
    ['*-seed'],
    'scalar/acc/max',
  ]);
  expect(order.urlPart.write()).toEqual(view);
  order.urlPart.read({});
  expect([order.sort, order.by, order.metric]).toEqual([USUAL_ORDER, [], '']);
});
