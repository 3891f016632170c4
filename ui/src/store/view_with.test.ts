import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApp, effectScope } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';

import { job, listing } from './jobs_for_tests';
import { useSelection } from './selection';
import { writeSelection } from './selection_url';
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

test('a link to a run keeps the selection, and adds or shows the run if charts lack it', () => {
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
  expect(viewWith('./c')).toMatchObject({ runs: 'b~a~c' });
  selection.hide(['./a', './b'], true);
  expect(viewWith('./a')).toMatchObject({ runs: 'a~b', hide: 'b' });
  selection.hide(['./b'], false);
  expect(viewWith('./a')).toMatchObject({ runs: 'a~b', hide: undefined });
  page.stop();
});
