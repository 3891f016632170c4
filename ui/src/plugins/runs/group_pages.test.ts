import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { effectScope, nextTick, reactive, type EffectScope } from 'vue';

import { useRunOrder } from '@/store/run_order';
import { useRunWindow } from '@/store/run_window';
import { useTrainJobs } from '@/store/train_jobs';
import { settled, WindowedServer } from '@/store/windowed_for_tests';

import { useGroupPages } from './group_pages';

let server: WindowedServer;
let scope: EffectScope;
let pages: ReturnType<typeof useGroupPages>;
const open = reactive(new Set<string>());

beforeEach(async () => {
  server = new WindowedServer();
  open.clear();
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  vi.stubGlobal('fetch', server.fetch);
  setActivePinia(createPinia());
  const jobs = useTrainJobs();
  jobs.mostListed = 600;
  jobs.window = { ids: [], matching: 0 };
  useRunWindow().start();
  scope = effectScope();
  scope.run(() => {
    pages = useGroupPages(
      () => ['opt', 'metric/acc'],
      (key) => open.has(key),
    );
  });
  await settled();
});

afterEach(() => {
  scope.stop();
  vi.unstubAllGlobals();
});

async function group(): Promise<void> {
  useRunOrder().by = ['opt'];
  await settled();
}

test('groups come in pages, with the statistics of the server', async () => {
  expect(pages.rows.value).toEqual([]);
  await group();
  expect(pages.rows.value).toHaveLength(200);
  const [first] = pages.rows.value;
  if (first?.kind !== 'group') throw new Error('The first row is no group.');
  expect([first.key, first.count, first.summaryOf('opt'), first.summaryOf('metric/acc')]).toEqual([
    '0',
    2,
    { kind: 'same', value: 0 },
    { kind: 'mean', mean: 0.5, deviation: 0.1, count: 2 },
  ]);
  pages.more();
  await settled();
  expect(pages.rows.value).toHaveLength(400);
  await pages.all();
  expect(pages.rows.value).toHaveLength(450);
});

test('a page of groups that is requested before a refresh is listed with it', async () => {
  await group();
  server.hold();
  pages.more();
  useRunWindow().version++;
  await nextTick();
  await server.release();
  expect([pages.rows.value.length, pages.waiting.value]).toEqual([400, false]);
});

test('a refresh keeps all groups that are listed, more than an answer holds', async () => {
  server.groupCount = 1_300;
  await group();
  await pages.all();
  server.groupCount = 1_310;
  useRunWindow().version++;
  await nextTick();
  await settled();
  await settled();
  expect(pages.rows.value.map(({ id }) => id)).toEqual(
    Array.from({ length: 1_300 }, (_, i) => `group ${i}`),
  );
});

test('listing all groups ends when the runs are no longer grouped', async () => {
  await group();
  server.hold();
  const listed = pages.all();
  useRunOrder().by = [];
  await nextTick();
  await server.release();
  await listed;
  expect(pages.rows.value).toEqual([]);
});

test('an open group has its runs as rows, and says how many are left out', async () => {
  await group();
  server.names = server.names.slice(0, 1);
  open.add('1');
  await settled();
  expect(pages.rows.value.slice(1, 4).map(({ kind, id }) => [kind, id])).toEqual([
    ['group', 'group 1'],
    ['run', './run_0'],
    ['rest', 'rest 1'],
  ]);
  expect(server.askedFor('train-job-ids').at(-1)?.get('group')).toBe('1');
  open.delete('1');
  await settled();
  expect(pages.rows.value).toHaveLength(200);
});

test('a late answer of another grouping is dropped', async () => {
  server.hold();
  const order = useRunOrder();
  order.by = ['opt'];
  await settled();
  order.by = [];
  await settled();
  await server.release();
  expect([pages.rows.value, pages.waiting.value]).toEqual([[], false]);
});
