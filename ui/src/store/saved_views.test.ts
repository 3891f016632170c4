import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, expect, test, vi } from 'vitest';
import { createApp, effectScope, nextTick, ref } from 'vue';
import { createMemoryHistory, createRouter, type Router } from 'vue-router';

import type { SavedView, ViewChanges } from '@/api/views';

import { useSavedViews, viewOf } from './saved_views';
import { useUrlState } from './url_state';

/** The server's list, as its tests describe it. */
let stored: Map<string, SavedView>;
let failing: boolean;

function respond(url: URL | string, init?: RequestInit): Response {
  const json = (status: number, body: unknown): Response =>
    new Response(JSON.stringify(body), { status });
  if (failing) return json(503, { error_code: '5054501A', error_msg: 'The notes are locked.' });
  const id = new URL(url).pathname.split('/').at(-1) ?? '';
  if (init?.method === 'DELETE') return json(stored.delete(id) ? 200 : 404, {});
  if (init?.method !== 'PUT') return json(200, { views: [...stored.values()] });
  const changes = JSON.parse(init.body as string) as ViewChanges;
  const blank = { view_id: id, name: '', page: '', query: '', is_default: false };
  stored.set(id, { ...(stored.get(id) ?? blank), ...changes });
  return json(200, { status: 'success' });
}

function saved(name: string): SavedView {
  const view = views.named(name);
  if (!view) throw new Error(`No view ${name}.`);
  return view;
}

const component = { render: () => null };
let router: Router;
let views: ReturnType<typeof useSavedViews>;

beforeEach(async () => {
  stored = new Map();
  failing = false;
  vi.stubGlobal('fetch', (url: URL, init?: RequestInit) => Promise.resolve(respond(url, init)));
  vi.stubGlobal('document', { baseURI: 'http://localhost/' });
  router = createRouter({
    history: createMemoryHistory(),
    routes: ['/scalar', '/image'].map((path) => ({ path, component })),
  });
  const pinia = createPinia();
  createApp(component).use(pinia).use(router);
  setActivePinia(pinia);
  await router.push('/scalar?runs=a~b&tags=x%2By');
  views = useSavedViews();
});

test('the current view is saved under a name and opened again', async () => {
  expect(await views.save(' Best ')).toBe(true);
  expect([...stored.values()]).toMatchObject([
    { name: 'Best', page: 'scalar', query: 'runs=a%7Eb&tags=x%2By', is_default: false },
  ]);
  expect(views.opened?.name).toBe('Best');
  expect(views.isModified).toBe(false);
  await router.push('/image?step=3');
  expect(views.isModified).toBe(true);
  const [view] = views.views;
  if (view) await views.open(view);
  expect(useUrlState().here()).toEqual({ path: '/scalar', query: { runs: 'a~b', tags: 'x+y' } });
  expect(views.isModified).toBe(false);
});

test('the order of arguments does not make a view another one', async () => {
  await views.save('Best');
  await router.push('/scalar?tags=x%2By&runs=a~b');
  expect(views.isModified).toBe(false);
});

test('saving under a name that exists replaces that view', async () => {
  await views.save('Best');
  await router.push('/image?step=3');
  await views.save('Best');
  expect([...stored.values()]).toMatchObject([{ name: 'Best', page: 'image', query: 'step=3' }]);
  expect(views.former?.change).toBe('replaced');
  await views.restoreFormer();
  expect([...stored.values()]).toMatchObject([{ name: 'Best', page: 'scalar' }]);
  expect(views.former).toBeNull();
});

test('a view is renamed, made the default, deleted and restored under its id', async () => {
  await views.save('b 10');
  await views.save('b 9');
  expect(views.views.map(({ name }) => name)).toEqual(['b 9', 'b 10']);
  const first = saved('b 9');
  await views.setDefault(first, true);
  await views.rename(first, 'c');
  const renamed = saved('c');
  await views.remove(renamed);
  expect(views.views.map(({ name }) => name)).toEqual(['b 10']);
  await views.restoreFormer();
  expect(views.named('c')).toEqual({ ...first, name: 'c', is_default: true });
  expect(views.former).toBeNull();
});

test('a start without a view leads to the default one, a link to its view', async () => {
  expect(await views.beginWithDefault()).toBeNull();
  await views.save('Best');
  const view = saved('Best');
  expect(await views.beginWithDefault()).toBeNull();
  await views.setDefault(view, true);
  expect(await views.beginWithDefault()).toEqual(viewOf(view));
  expect(await views.beginWith(view.view_id)).toEqual(viewOf(view));
  expect(await views.beginWith('Best')).toEqual(viewOf(view));
  expect(views.missing).toBeNull();
  expect(await views.beginWith('Worst')).toBeNull();
  expect(views.missing).toEqual({ key: 'Worst', problem: null });
});

test('a link to a view restores all of it, also in a page that is open', async () => {
  const runs = ref('');
  const scope = effectScope();
  scope.run(() =>
    useUrlState().follow({
      shared: true,
      write: () => ({ runs: runs.value || undefined }),
      read: (query) => (runs.value = query['runs'] ?? ''),
    }),
  );
  await views.save('Best');
  await router.push('/image');
  runs.value = 'c';
  await nextTick();
  const view = await views.beginWith('Best');
  if (view) await router.push({ path: view.path, query: view.query });
  await nextTick();
  expect(runs.value).toBe('a~b');
  expect(views.isModified).toBe(false);
  scope.stop();
});

test('a link whose view cannot be read can be tried again', async () => {
  await views.save('Best');
  await router.push('/image?step=3');
  const pinia = createPinia();
  createApp(component).use(pinia).use(router);
  const fresh = useSavedViews(pinia);
  failing = true;
  expect(await fresh.beginWith('Best')).toBeNull();
  expect(fresh.missing).toEqual({ key: 'Best', problem: 'The notes are locked.' });
  failing = false;
  await fresh.retryMissing();
  expect([fresh.missing, fresh.problem]).toEqual([null, null]);
  expect(router.currentRoute.value.path).toBe('/scalar');
});

test('a start without the default view says why, and can be tried again', async () => {
  await views.save('Best');
  await views.setDefault(saved('Best'), true);
  await router.push('/image?step=3');
  const pinia = createPinia();
  createApp(component).use(pinia).use(router);
  const fresh = useSavedViews(pinia);
  failing = true;
  expect(await fresh.beginWithDefault()).toBeNull();
  expect(fresh.missing).toEqual({ key: '', problem: 'The notes are locked.' });
  failing = false;
  await fresh.retryMissing();
  expect(fresh.missing).toBeNull();
  expect(router.currentRoute.value.path).toBe('/scalar');
});

test('a start does not wait long for the default view', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const start = views.beginWithDefault();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await start).toBeNull();
  vi.useRealTimers();
});

test('what the server refuses is reported and changes nothing', async () => {
  await views.save('Best');
  failing = true;
  expect(await views.save('Other')).toBe(false);
  expect(views.problem).toBe('The notes are locked.');
  expect(views.views.map(({ name }) => name)).toEqual(['Best']);
  expect(await views.beginWith('Best')).not.toBeNull();
  failing = false;
  await views.refresh();
  expect(views.problem).toBeNull();
});
