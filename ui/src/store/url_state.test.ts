import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, expect, test } from 'vitest';
import { createApp, effectScope, nextTick, ref, type EffectScope } from 'vue';
import { createMemoryHistory, createRouter, type Router } from 'vue-router';

import { useUrlState, type UrlPart } from './url_state';

let router: Router;
let url: ReturnType<typeof useUrlState>;
let pages: EffectScope;

beforeEach(async () => {
  const component = { render: () => null };
  router = createRouter({
    history: createMemoryHistory(),
    routes: ['/scalar', '/image'].map((path) => ({ path, component })),
  });
  const pinia = createPinia();
  createApp(component).use(pinia).use(router);
  setActivePinia(pinia);
  await router.push('/scalar');
  url = useUrlState();
  pages = effectScope();
});

/** Bind a text to the URL parameter `name`. */
function follow(name: string, more: Partial<UrlPart> = {}) {
  const value = ref('');
  pages.run(() => {
    url.follow({
      write: () => ({ [name]: value.value || undefined }),
      read: (query) => {
        value.value = query[name] ?? '';
      },
      ...more,
    });
  });
  return value;
}

async function query(): Promise<unknown> {
  await nextTick();
  // A navigation is a chain of microtasks.
  await new Promise((done) => setTimeout(done));
  return router.currentRoute.value.query;
}

test('writes changes of any part and keeps the parameters of others', async () => {
  const [tags, zoom] = [follow('tags'), follow('zoom')];
  tags.value = 'loss';
  zoom.value = '1';
  expect(await query()).toEqual({ tags: 'loss', zoom: '1' });
  tags.value = '';
  expect(await query()).toEqual({ zoom: '1' });
});

test('a part registered later reads its state from the link', async () => {
  await router.push('/scalar?tags=acc');
  expect(follow('tags').value).toBe('acc');
});

test('opening a link changes the state', async () => {
  const tags = follow('tags');
  await router.push('/scalar?tags=acc');
  expect(tags.value).toBe('acc');
});

test('only shared parts are kept on another page', async () => {
  const runs = follow('runs', { shared: true });
  const tags = follow('tags');
  [runs.value, tags.value] = ['a~b', 'loss'];
  await query();
  expect(url.shared()).toEqual({ runs: 'a~b' });
  pages.stop();
  pages = effectScope();
  const kept = follow('runs', { shared: true });
  kept.value = 'a~b';
  await url.go('/image', { tags: 'x' });
  expect(router.currentRoute.value.path).toBe('/image');
  expect(await query()).toMatchObject({ tags: 'x' });
});

test('a change while the code of a page is loaded keeps the way there', async () => {
  const runs = follow('runs', { shared: true });
  const tags = follow('tags');
  const order = follow('order', { shared: true });
  [tags.value, order.value] = ['loss', 'name'];
  await query();
  let loaded = (): void => undefined;
  const code = new Promise<void>((done) => {
    loaded = done;
  });
  router.beforeResolve(() => code);
  void router.push('/image?order=loss');
  await query();
  runs.value = 'a';
  await query();
  expect(router.currentRoute.value.path).toBe('/scalar');
  loaded();
  expect(await query()).toEqual({ runs: 'a', order: 'loss' });
  expect(router.currentRoute.value.path).toBe('/image');
  router.back();
  expect(await query()).toEqual({ tags: 'loss', order: 'name' });
});

test('a change while Back loads the code of a page replaces its history entry', async () => {
  const runs = follow('runs', { shared: true });
  await router.push('/image?tags=loss');
  await router.push('/scalar?tags=acc');
  let loaded = (): void => undefined;
  const code = new Promise<void>((done) => {
    loaded = done;
  });
  const remove = router.beforeResolve(() => code);
  router.back();
  await query();
  for (const run of ['a', 'b']) {
    runs.value = run;
    await query();
  }
  loaded();
  remove();
  expect(await query()).toEqual({ runs: 'b', tags: 'loss' });
  expect(router.currentRoute.value.path).toBe('/image');
  router.back();
  await query();
  expect(router.currentRoute.value.path).toBe('/scalar');
});

test('changes are written after a page could not be opened', async () => {
  const runs = follow('runs', { shared: true });
  const remove = router.beforeResolve(() => {
    throw new Error('no page');
  });
  await expect(router.push('/image')).rejects.toThrow('no page');
  remove();
  runs.value = 'a';
  expect(await query()).toEqual({ runs: 'a' });
  expect(router.currentRoute.value.path).toBe('/scalar');
});

test('undo and redo step through changes of the view', async () => {
  const tags = follow('tags');
  const zoom = follow('zoom');
  tags.value = 'loss';
  await query();
  zoom.value = '2';
  await query();
  await url.undo();
  expect([tags.value, zoom.value, url.canRedo]).toEqual(['loss', '', true]);
  await url.redo();
  expect([tags.value, zoom.value, url.canRedo]).toEqual(['loss', '2', false]);
});

test('what follows the data alone is no step; Undo leads to what the user had before', async () => {
  const order = follow('order');
  const colors = follow('colors', { derived: ['colors'] });
  await query();
  order.value = 'acc';
  await query();
  // Newer runs arrive, are selected and drawn in other colors.
  colors.value = '1:b';
  expect(await query()).toEqual({ order: 'acc', colors: '1:b' });
  await url.undo();
  expect([order.value, url.canUndo, url.canRedo]).toEqual(['', false, true]);
  await url.redo();
  expect([order.value, colors.value]).toEqual(['acc', '1:b']);
});

test('what a visited link sets ends with its page', async () => {
  const keptTags = ref('acc');
  const page = () => {
    const zoom = ref('');
    pages.run(() => {
      url.follow({
        write: () => ({ tags: keptTags.value || undefined, zoom: zoom.value || undefined }),
        read: (query) => {
          keptTags.value = query['tags'] ?? '';
          zoom.value = query['zoom'] ?? '';
        },
      });
    });
    return zoom;
  };
  await url.visit('#/image?tags=%5Eloss%24&zoom=3..9');
  expect(router.currentRoute.value.query).toEqual({ tags: '^loss$', zoom: '3..9' });
  const zoom = page();
  expect([keptTags.value, zoom.value]).toEqual(['^loss$', '3..9']);
  pages.stop();
  expect([keptTags.value, zoom.value]).toEqual(['acc', '']);
  // What the user changes is the user's.
  pages = effectScope();
  await router.push('/scalar');
  await url.visit('#/image?tags=%5Eloss%24&zoom=3..9');
  const other = page();
  other.value = '4..5';
  await query();
  pages.stop();
  expect([keptTags.value, other.value]).toEqual(['acc', '4..5']);
});

test('state can end when its page is left, and going back restores it', async () => {
  const shown = ref('');
  pages.run(() =>
    url.follow({
      shared: true,
      write: () => ({ show: shown.value || undefined }),
      read: (query) => (shown.value = query['show'] ?? ''),
      leave: () => (shown.value = ''),
    }),
  );
  await url.visit('#/image?show=b');
  expect(shown.value).toBe('b');
  await router.push('/scalar?show=b');
  expect(await query()).toEqual({});
  router.back();
  expect(await query()).toEqual({ show: 'b' });
  router.forward();
  expect(await query()).toEqual({});
});

test('what another link sets stays', async () => {
  await router.push('/image?tags=loss');
  const tags = follow('tags');
  pages.stop();
  expect(tags.value).toBe('loss');
});

test('recognizes links written by later versions', async () => {
  expect(url.isNewer).toBe(false);
  await router.push('/scalar?v=2');
  expect(url.isNewer).toBe(true);
});
