import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { PALETTES } from '@/base/job_colors';
import { NO_VALUE } from '@/base/value_ramp';

import { useAnnotations } from './annotations';
import { FactTable } from './fact_table';
import { useJobFacts } from './job_facts';
import { job, listing } from './jobs_for_tests';
import { BY_GROUP, BY_RUN, useRunColors } from './run_colors';
import { useRunOrder } from './run_order';
import { useSelection } from './selection';
import { useTrainJobs } from './train_jobs';

const IDS = ['./a', './b', './c', './d', './e'];

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  setActivePinia(createPinia());
  useTrainJobs().byId = listing(...IDS.map((id, i) => job(id.slice(2), i)));
  useJobFacts().table = new FactTable({
    train_id: IDS,
    columns: {
      'user_defined/lr': [0.1, 0.01, null, 0.0001, 0.1],
      'user_defined/model': ['vit', 'resnet', 'vit', null, 'vit'],
      'metric/acc': [0.9, 0.8, 0.7, 0.85, -40],
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const colors = (): string[] => IDS.map((id) => useSelection().colorOf(id));

test('each run has its own color until a value is selected', () => {
  const own = colors();
  expect(new Set(own).size).toBe(5);
  const runColors = useRunColors();
  expect(colors()).toEqual(own);
  runColors.by = 'model';
  expect(colors()).not.toEqual(own);
  runColors.by = BY_RUN;
  expect(colors()).toEqual(own);
});

test('runs of one class share a hue; those without a value are gray', () => {
  const runColors = useRunColors();
  runColors.by = 'model';
  const [a, b, c, d, e] = colors();
  expect([c, e]).toEqual([a, a]);
  expect(b).not.toBe(a);
  expect(PALETTES.light).toContain(a);
  expect(d).toBe(NO_VALUE);
  expect(runColors.bar).toBeNull();
  expect(runColors.classes).toEqual([
    { name: 'resnet', color: b, count: 1 },
    { name: 'vit', color: a, count: 3 },
    { name: '', color: NO_VALUE, count: 1 },
  ]);
  expect(runColors.without).toBe(1);
});

test('numbers have the colors of a ramp, by decades if they span them', () => {
  const runColors = useRunColors();
  runColors.by = 'lr';
  const [a, b, c, d, e] = colors();
  expect(e).toBe(a);
  expect(new Set([a, b, d]).size).toBe(3);
  expect(c).toBe(NO_VALUE);
  expect(runColors.classes).toEqual([]);
  expect(runColors.bar?.labels).toEqual(['1e-4', '0.00316', '0.1']);
});

test('an outlier leaves the other values distinct', () => {
  const many = Array.from({ length: 40 }, (_, i) => `r${i}`);
  useTrainJobs().byId = listing(...many.map((name, i) => job(name, i)));
  useJobFacts().table = new FactTable({
    train_id: many.map((name) => `./${name}`),
    columns: { 'metric/acc': many.map((_, i) => (i === 0 ? -1e6 : i / 40)) },
  });
  useSelection().selectMatching();
  const runColors = useRunColors();
  runColors.by = 'acc';
  expect(new Set(many.map((name) => useSelection().colorOf(`./${name}`))).size).toBeGreaterThan(30);
  expect(runColors.bar?.clipped).toBe(true);
  expect(runColors.bar?.labels[0]).toMatch(/^≤ /);
});

test('a color that the user set wins', () => {
  useAnnotations().byId = new Map([['./a', { colour: '#123456' }]]);
  useRunColors().by = 'model';
  expect(colors()[0]).toBe('#123456');
});

test('groups color their runs, and lines of groups follow a value', () => {
  const order = useRunOrder();
  const runColors = useRunColors();
  runColors.by = BY_GROUP;
  expect(new Set(colors()).size).toBe(5);
  order.by = ['model'];
  const [a, b, c] = colors();
  expect([a === c, a === b]).toEqual([true, false]);
  expect(runColors.colorOfGroup(['./a', './c'])).toBe(a);
  runColors.by = 'model';
  expect(runColors.colorOfGroup(['./a', './c'])).toBe(colors()[0]);
  expect(runColors.colorOfGroup(['./a', './b'])).toBe(NO_VALUE);
  runColors.by = 'acc';
  expect(runColors.colorOfGroup(['./b'])).toBe(colors()[1]);
});

test('grouped runs have the color of their group unless a value is selected', () => {
  const order = useRunOrder();
  const runColors = useRunColors();
  const own = colors();
  order.by = ['model'];
  const [a, b, c] = colors();
  expect([a === c, a === b]).toEqual([true, false]);
  expect(runColors.colorOfGroup(['./c'])).toBe(a);
  expect([runColors.by, runColors.isUsual]).toEqual([BY_GROUP, true]);
  expect(runColors.urlPart.write()).toEqual({ color_by: undefined });
  order.by = [];
  expect(colors()).toEqual(own);
});

test('what the colors mean is in the link', () => {
  const runColors = useRunColors();
  expect(runColors.urlPart.write()).toEqual({ color_by: undefined });
  runColors.urlPart.read({ color_by: 'user_defined/lr' });
  expect(runColors.by).toBe('user_defined/lr');
  expect(runColors.urlPart.write()).toEqual({ color_by: 'user_defined/lr' });
  runColors.urlPart.read({});
  expect(runColors.by).toBe(BY_RUN);
});
