import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApp, effectScope } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';

import { job, listing } from './jobs_for_tests';
import { useSelection } from './selection';
import { readSelection, writeSelection } from './selection_url';
import { useTrainJobs } from './train_jobs';
import { useUrlState } from './url_state';
import { useViewWith } from './view_with';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [{ path: '/', component: { render: () => null } }],
  });
  const pinia = createPinia();
  createApp({ render: () => null })
    .use(pinia)
    .use(router);
  setActivePinia(pinia);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a link to a run keeps the selection, and shows the run if charts lack it', () => {
  useTrainJobs().byId = listing(job('a', 1), job('b', 2), job('c', 3));
  const selection = useSelection();
  const page = effectScope();
  page.run(() => {
    const write = () => writeSelection(selection);
    useUrlState().follow({ shared: true, write, read: () => null });
  });
  const viewWith = useViewWith();
  selection.selectOnly(['./a', './b']);
  expect(viewWith('./a')).toMatchObject({ runs: 'a~b' });
  expect(viewWith('./c')).toMatchObject({ runs: 'a~b', show: 'c' });
  selection.hide(['./a', './b'], true);
  expect(viewWith('./a')).toMatchObject({ runs: 'a~b', hide: 'a~b', show: 'a' });
  selection.hide(['./b'], false);
  expect(viewWith('./a')).toMatchObject({ runs: 'a~b', hide: 'a', show: 'a' });
  page.stop();
});

test('a link that shows one more run changes no color of the others, nor does its end', () => {
  const ids = Array.from({ length: 20 }, (_, i) => `r${i}`);
  const jobs = useTrainJobs();
  jobs.byId = listing(...ids.map((id, i) => job(id, i)));
  jobs.complete = true;
  const selection = useSelection();
  selection.selectOnly(['./r0']);
  const viewWith = useViewWith();
  for (const id of ids.slice(1)) {
    const before = selection.selected.map((one) => [one, selection.colorOf(one)]);
    const now = (): unknown => before.map(([one = '']) => [one, selection.colorOf(one)]);
    readSelection({ ...writeSelection(selection), ...viewWith(`./${id}`) }, selection);
    expect(selection.visibleSet.has(`./${id}`)).toBe(true);
    expect(selection.selectedSet.has(`./${id}`)).toBe(false);
    expect(now()).toEqual(before);
    selection.endShown();
    expect(now()).toEqual(before);
    selection.set([`./${id}`], true);
    expect(now()).toEqual(before);
  }
});
