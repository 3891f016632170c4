import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { effectScope, nextTick, ref } from 'vue';

import { job, listing } from '@/store/jobs_for_tests';
import { useRunOrder } from '@/store/run_order';
import { useSelection } from '@/store/selection';
import { useTrainJobs } from '@/store/train_jobs';

import { usePanelRows } from './panel_rows';

const scope = effectScope();

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  setActivePinia(createPinia());
  const names = ['a', 'b', 'c', 'd', 'e'];
  useTrainJobs().byId = listing(...names.map((name, i) => job(name, i)));
  useRunOrder().sort = ['name'];
  useSelection().selectOnly(['./a', './b', './c']);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function panel(onlySelected = ref(false)) {
  const list = scope.run(() => usePanelRows(onlySelected));
  if (!list) throw new Error('The scope has ended.');
  const keys = (): string =>
    list.rows.value
      .map((row) => (row.kind === 'job' ? row.job.train_id.slice(2) : row.key))
      .join(' ');
  return { ...list, keys };
}

const ALL = 'selected a b c others d e';

test('a run that is unselected stays in place until the rows are released', () => {
  const { keys, select, countOf, release } = panel();
  expect(keys()).toBe(ALL);
  select('./b', false, false);
  select('./d', true, false);
  expect(keys()).toBe(ALL);
  expect([countOf('selected'), countOf('others')]).toEqual([3, 2]);
  release();
  expect(keys()).toBe('selected a c d others b e');
});

test('a range has the state of the row that is clicked last', () => {
  const { select } = panel();
  select('./b', false, false);
  select('./d', true, true);
  expect(useSelection().selected).toEqual(['./d', './c', './b', './a']);
  select('./a', false, true);
  expect(useSelection().selected).toEqual([]);
});

test('a run that the list of selected ones would drop stays, too', () => {
  const { keys, select, release } = panel(ref(true));
  select('./b', false, false);
  expect(keys()).toBe('selected a b c');
  release();
  expect(keys()).toBe('selected a c');
});

test('rows move at once if runs are selected elsewhere, filtered or sorted', async () => {
  const { keys, select } = panel();
  const selection = useSelection();
  select('./b', false, false);
  selection.selectOnly(['./e']);
  expect(keys()).toBe('selected e others a b c d');
  select('./a', true, false);
  useRunOrder().sort = ['-name'];
  await nextTick();
  expect(keys()).toBe('selected e a others d c b');
  select('./a', false, false);
  selection.filter = 'd';
  await nextTick();
  expect(keys()).toBe('selected e others d');
});

test('the eye hides the selected runs of a range', () => {
  const { hide, select } = panel();
  const selection = useSelection();
  select('./b', false, false);
  hide('./a', true, false);
  hide('./c', true, true);
  expect([...selection.hidden]).toEqual(['./a', './c']);
});
