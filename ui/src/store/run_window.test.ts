import { createPinia, disposePinia, setActivePinia, type Pinia } from 'pinia';
import { beforeEach, expect, test, vi } from 'vitest';
import { nextTick } from 'vue';

import { useIssues } from './issues';
import { useRunOrder } from './run_order';
import { useRunWindow } from './run_window';
import { useSelection } from './selection';
import { useTrainJobs } from './train_jobs';
import { settled, WindowedServer } from './windowed_for_tests';

let server: WindowedServer;
let pinia: Pinia;

beforeEach(async () => {
  server = new WindowedServer();
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  vi.stubGlobal('fetch', server.fetch);
  pinia = createPinia();
  setActivePinia(pinia);
  const jobs = useTrainJobs();
  jobs.mostListed = 600;
  jobs.window = { ids: [], matching: 0 };
  useRunWindow().start();
  await settled();
});

const shown = (): readonly string[] => useTrainJobs().window?.ids ?? [];
const ends = (): unknown => [shown().length, shown()[0], shown().at(-1)];

test('rows are listed page by page, up to the limit', async () => {
  const window = useRunWindow();
  expect([ends(), useTrainJobs().window?.matching, window.hasMore]).toEqual([
    [500, './run_0', './run_499'],
    1_300,
    true,
  ]);
  await window.more();
  expect([ends(), window.hasMore]).toEqual([[600, './run_0', './run_599'], false]);
  const before = server.requests.length;
  await window.more();
  expect(server.requests).toHaveLength(before);
});

test('filter and order are asked of the server; a late answer to the earlier question is dropped', async () => {
  const [window, selection, order] = [useRunWindow(), useSelection(), useRunOrder()];
  server.hold();
  selection.filter = 'run_12';
  await nextTick();
  expect(window.waiting).toBe(true);
  order.sort = ['-metric/acc'];
  await nextTick();
  // The answer to the filter alone comes last.
  await server.release();
  expect([shown()[0], window.waiting]).toEqual(['./run_1299', false]);
  expect(server.askedFor('train-job-columns').at(-1)?.getAll('order')).toEqual([
    '-pinned',
    '-metric/acc',
  ]);
});

test('a page that is requested during a refresh is listed after it', async () => {
  const window = useRunWindow();
  server.hold();
  const more = window.more();
  window.retry();
  await server.release();
  await more;
  await settled();
  expect(ends()).toEqual([600, './run_0', './run_599']);
});

test('a page that follows rows of before a change is not appended to the new ones', async () => {
  const window = useRunWindow();
  server.hold();
  const more = window.more();
  server.version = 2;
  server.names = ['new', ...server.names];
  useTrainJobs().window = { ids: ['./new'], matching: 1_301 };
  await server.release();
  await more;
  await settled();
  expect(ends()).toEqual([600, './new', './run_598']);
});

test('the rule selects runs beyond the pages, and their rows are listed', async () => {
  const [jobs, selection] = [useTrainJobs(), useSelection()];
  expect(selection.selected).toHaveLength(10);
  selection.selectOnly(['./run_1200', './gone']);
  await settled();
  expect(selection.selected).toEqual(['./run_1200']);
  expect([jobs.byId.has('./run_1200'), jobs.isAwaited('./gone')]).toEqual([true, false]);
  // It is no row of the table.
  expect(shown()).not.toContain('./run_1200');
});

test('clicks before the server names the selected runs change its answer', async () => {
  const selection = useSelection();
  server.hold();
  selection.choice = { kind: 'matching', filter: 'run_129' };
  await nextTick();
  selection.set(['./run_600'], true);
  selection.set(['./run_1290'], false);
  await server.release();
  expect(selection.selectedIds).toEqual([
    './run_129',
    ...Array.from({ length: 9 }, (_, i) => `./run_129${i + 1}`),
    './run_600',
  ]);
});

test('all matches selected before the server names the selected runs are added to them', async () => {
  const selection = useSelection();
  selection.filter = 'run_5';
  await settled();
  server.hold();
  selection.choice = { kind: 'matching', filter: 'run_129' };
  await nextTick();
  await selection.toggleMatching();
  await server.release();
  await settled();
  expect(selection.selectedIds).toHaveLength(11 + 111);
});

test('an error is shown until a retry succeeds', async () => {
  const [window, selection] = [useRunWindow(), useSelection()];
  server.failing = true;
  selection.filter = 'run_7';
  await settled();
  expect([window.problem, window.waiting]).toEqual(['Broken.', false]);
  server.failing = false;
  window.retry();
  await settled();
  expect([window.problem, shown()[0]]).toEqual([null, './run_7']);
});

test('rows are requested again as the server checks runs, and when it has checked all', async () => {
  const before = server.askedFor('train-job-columns').length;
  vi.useFakeTimers();
  try {
    const issues = useIssues();
    const severities = { severe: 0, warning: 0, note: 0 };
    const counts = { train_jobs: 1_300, looked_into: 0, outdated: 0, severities, diverged: {} };
    for (const looked_into of [400, 800, 1_300]) {
      issues.counts = { ...counts, looked_into };
      await nextTick();
    }
    await vi.advanceTimersByTimeAsync(4_999);
    expect(server.askedFor('train-job-columns')).toHaveLength(before);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.askedFor('train-job-columns')).toHaveLength(before + 1);
    issues.counts = { ...counts, looked_into: 1_300 };
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.askedFor('train-job-columns')).toHaveLength(before + 1);
  } finally {
    vi.useRealTimers();
  }
});

test('requests that are due end with the store', async () => {
  vi.useFakeTimers();
  try {
    useRunWindow().retry();
    await vi.advanceTimersByTimeAsync(0);
    disposePinia(pinia);
    const before = server.requests.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.requests).toHaveLength(before);
  } finally {
    vi.useRealTimers();
  }
});

test('a selection that fails or reaches the limit says so, and selects no less than before', async () => {
  const selection = useSelection();
  server.names = [...Array.from({ length: 10_050 }, (_, i) => `run_${i}`), 'other'];
  selection.selectOnly(['./other']);
  await settled();
  selection.filter = 'run';
  await settled();
  await settled();
  expect(selection.matchCount).toBe(10_050);
  server.failing = true;
  await selection.toggleMatching();
  expect(selection.shortfall).toEqual({ kind: 'failed', reason: 'Broken.' });
  expect([selection.selectedIds, selection.everyMatch]).toEqual([['./other'], false]);
  server.failing = false;
  await selection.toggleMatching();
  expect(selection.shortfall).toEqual({ kind: 'limit', count: 9_999, of: 10_050 });
  expect(selection.selectedIds).toHaveLength(10_000);
  selection.selectOnly(['./other']);
  expect(selection.shortfall).toBeNull();
});
