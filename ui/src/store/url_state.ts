import { defineStore } from 'pinia';
import { computed, nextTick, onScopeDispose, ref, shallowReactive, watch } from 'vue';
import { useRouter, type LocationQuery, type RouteLocationNormalized } from 'vue-router';

import { ViewSteps, type Cause, type View } from '@/base/view_steps';

export type Query = Readonly<Record<string, string | undefined>>;

/** Links of this version leave it out; `v=2` would be from a newer mindviz. */
const LINK_FORM = 1;

export interface UrlPart {
  readonly write: () => Record<string, string | undefined>;
  readonly read: (query: Query) => void;
  /** Changes of this are undone by Back; others replace the history entry. */
  readonly step?: () => unknown;
  /** Arguments that also follow the data: if only they change, there is nothing to undo. */
  readonly derived?: readonly string[];
  readonly shared?: boolean;
  /** Its page is left, not to go back or forward. */
  readonly leave?: () => void;
}

/** Syncs state and URL. Only this store writes, so that changes don't overwrite each other. */
export const useUrlState = defineStore('url_state', () => {
  const router = useRouter();
  const parts = shallowReactive(new Set<UrlPart>());
  const followed = ref(0);
  /** The query written last: its navigation is not a change. */
  let written = '';
  /** Whether the last write came from a page, not from the user. */
  let amends = false;
  /** The view to restore exactly, by Back or undo. */
  let restored = '';
  /** The view of the link visited last. */
  let visited = '';

  /** Another page, while its code is loaded. */
  let opening: RouteLocationNormalized | null = null;
  /** The view that the history is at, if Back or Forward led to `opening`. */
  let popped = '';
  router.beforeEach((to, from) => {
    opening = to.path === from.path ? null : to;
    if (nameOf(viewOf(to)) !== popped) popped = '';
  });
  const opened = (to: RouteLocationNormalized): void => {
    if (to === opening) opening = null;
  };
  router.afterEach(opened);
  router.onError((_, to) => opened(to));

  const isNewer = computed(
    () => Number(router.currentRoute.value.query['v'] ?? LINK_FORM) > LINK_FORM,
  );

  const steps = new ViewSteps();
  const canUndo = ref(false);
  const canRedo = ref(false);

  watch(
    () => ({
      query: queryOf(parts),
      followed: followed.value,
      step: JSON.stringify([...parts].map((part) => part.step?.() ?? null)),
    }),
    (now, before) => {
      if (opening !== null) {
        // The router drops the earlier of two navigations. What did not change is as in the link.
        const changed = Object.entries(shared()).filter(([name, to]) => before.query[name] !== to);
        const view = {
          path: opening.path,
          query: { ...opening.query, ...Object.fromEntries(changed) },
        };
        if (changed.length === 0) return;
        if (popped === '') void router.push(view);
        else {
          restored = popped = nameOf(viewOf(router.resolve(view)));
          void router.replace(view);
        }
        return;
      }
      const here = plain(router.currentRoute.value.query);
      if (agrees(here, now.query)) return;
      const query = { ...here, ...now.query };
      written = text(query);
      amends = now.followed !== before.followed || isDerived(now.query, before.query);
      const isStep = now.step !== before.step && !amends;
      void (isStep ? router.push({ query }) : router.replace({ query }));
    },
    { flush: 'post' },
  );

  watch(
    () => router.currentRoute.value,
    (route, before) => {
      const { query } = viewOf(route);
      const ours =
        text(query) === written && route.path === before.path && nameOf(viewOf(route)) !== restored;
      remember(ours && amends ? 'page' : 'change');
      if (ours) return;
      const exact = nameOf(viewOf(route)) === restored;
      if (route.path !== before.path && !exact) {
        const arrived = text(shared());
        for (const part of parts) part.leave?.();
        if (text(shared()) !== arrived) amend();
        return;
      }
      for (const part of parts) {
        // A page keeps its state when left.
        if ((part.shared || route.path === before.path) && !agrees(query, part.write()))
          part.read(query);
      }
    },
    { flush: 'sync' },
  );

  function isDerived(now: Query, before: Query): boolean {
    const derived = new Set([...parts].flatMap((part) => part.derived ?? []));
    return Object.keys(now).every((name) => now[name] === before[name] || derived.has(name));
  }

  // Back, Forward or a typed address: restore exactly.
  router.options.history.listen((to) => {
    restored = popped = nameOf(viewOf(router.resolve(to)));
  });

  function remember(cause: Cause): void {
    if (router.currentRoute.value.matched.length === 0) return;
    const view = here();
    const moved = nameOf(view) === restored;
    if (!moved) restored = '';
    steps.record(view, performance.now(), moved ? 'move' : cause);
    canUndo.value = steps.canUndo;
    canRedo.value = steps.canRedo;
  }

  remember('change');

  /** Show exactly this view. */
  async function restore(view: View | null): Promise<void> {
    if (view === null) return;
    restoreNext(view);
    await router.push({ path: view.path, query: view.query });
  }

  /** The navigation that leads to this view restores it exactly, such as a redirect. */
  function restoreNext(view: View): void {
    restored = nameOf(view);
  }

  /** The view in the URL, without changes that are not yet written. */
  function here(): View {
    return viewOf(router.currentRoute.value);
  }

  /** The next change is a step of its own. */
  const settle = (): void => steps.settle();

  const undo = (): Promise<void> => restore(steps.undo());

  const redo = (): Promise<void> => restore(steps.redo());

  /** Keep this part in the URL until the calling scope ends. */
  function follow(part: UrlPart): void {
    const { path, query } = here();
    const exact = nameOf({ path, query }) === restored;
    const before = part.write();
    if (exact || Object.keys(before).some((name) => query[name] !== undefined)) part.read(query);
    const arrived = !part.shared && nameOf({ path, query }) === visited ? part.write() : null;
    parts.add(part);
    amend();
    onScopeDispose(() => {
      parts.delete(part);
      if (arrived) part.read(withoutVisit(before, arrived, part.write()));
    });
  }

  /** Open a link to another page. What it sets, and the user does not change, ends with the page. */
  async function visit(link: string): Promise<void> {
    const view = viewOf(router.resolve(link.replace(/^#/, '')));
    visited = nameOf(view);
    await restore(view);
  }

  /** Changes in this tick are not the user's. */
  function amend(): void {
    followed.value++;
  }

  function shared(): Query {
    return queryOf([...parts].filter((part) => part.shared));
  }

  /** Pending changes are written first: the router drops the earlier of two navigations. */
  async function go(path: string, args: Query = {}): Promise<void> {
    await nextTick();
    if (router.currentRoute.value.path !== path) await router.push({ path, query: shared() });
    // The page has registered its state now.
    await nextTick();
    const query = { ...queryOf(parts), ...args };
    if (!agrees(plain(router.currentRoute.value.query), args)) await router.push({ query });
  }

  return {
    isNewer,
    follow,
    amend,
    shared,
    go,
    here,
    restore,
    restoreNext,
    settle,
    visit,
    undo,
    redo,
    canUndo,
    canRedo,
  };
});

/** What a page keeps: what it had before the visit, but for what has changed since. */
const withoutVisit = (before: Query, arrived: Query, now: Query): Query =>
  Object.fromEntries(
    Object.entries({ ...before, ...arrived, ...now }).map(([name]) => [
      name,
      now[name] === arrived[name] ? before[name] : now[name],
    ]),
  );

function queryOf(parts: Iterable<UrlPart>): Query {
  return Object.assign({}, ...[...parts].map((part) => part.write())) as Query;
}

const viewOf = ({ path, query }: Pick<RouteLocationNormalized, 'path' | 'query'>): View => ({
  path,
  query: plain(query),
});

function plain(query: LocationQuery): Query {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    const one = Array.isArray(value) ? value[0] : value;
    if (typeof one === 'string') values[name] = one;
  }
  return values;
}

function text(query: Query): string {
  return JSON.stringify(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .sort(),
  );
}

function nameOf({ path, query }: View): string {
  return `${path} ${text(query)}`;
}

function agrees(query: Query, written: Query): boolean {
  return Object.entries(written).every(([name, value]) => query[name] === value);
}
