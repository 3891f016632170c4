import { defineStore } from 'pinia';
import { computed, nextTick, onScopeDispose, ref, shallowReactive, watch } from 'vue';
import { useRouter, type LocationQuery } from 'vue-router';

import { ViewSteps, type Cause, type View } from '@/base/view_steps';

export type Query = Readonly<Record<string, string | undefined>>;

/**
 * The form of links. Arguments are only ever added, so links need not say it; one of a later form,
 * `v=2`, is from a mindviz that knows more than this.
 */
const LINK_FORM = 1;

/** A part of the page's state that the URL's query holds. */
export interface UrlPart {
  /** The state as query arguments, undefined for what is as usual. Names are the part's own. */
  readonly write: () => Record<string, string | undefined>;
  /** Takes the state from query arguments: a link was opened, or Back was pressed. */
  readonly read: (query: Query) => void;
  /** Changes of this are steps that Back undoes; other changes replace the history's entry. */
  readonly step?: () => unknown;
  /** Whether it goes along to other pages. */
  readonly shared?: boolean;
}

/** Keeps state and URL alike: one writer, so that no part's change is lost to another's. */
export const useUrlState = defineStore('url_state', () => {
  const router = useRouter();
  const parts = shallowReactive(new Set<UrlPart>());
  /** How often a page that came has said what it shows. */
  const followed = ref(0);
  /** What we wrote last: the navigation that it causes is no news. */
  let written = '';
  /** Whether what we wrote last was nobody's choice: a page came, and said what it shows. */
  let amends = false;
  /** The view that is being gone back to: it is to be exactly as its address says. */
  let restored = '';

  /** Whether the link that was opened may say more than is understood here. */
  const isNewer = computed(
    () => Number(router.currentRoute.value.query['v'] ?? LINK_FORM) > LINK_FORM,
  );

  const steps = new ViewSteps();
  const canUndo = ref(false);
  const canRedo = ref(false);

  watch(
    () => ({
      query: Object.assign({}, ...[...parts].map((part) => part.write())) as Query,
      followed: followed.value,
      step: JSON.stringify([...parts].map((part) => part.step?.() ?? null)),
    }),
    (now, before) => {
      const here = plain(router.currentRoute.value.query);
      if (agrees(here, now.query)) return;
      const query = { ...here, ...now.query };
      written = text(query);
      amends = now.followed !== before.followed;
      const isStep = now.step !== before.step && !amends;
      void (isStep ? router.push({ query }) : router.replace({ query }));
    },
    { flush: 'post' },
  );

  watch(
    () => router.currentRoute.value,
    (route, before) => {
      const query = plain(route.query);
      const ours =
        text(query) === written &&
        route.path === before.path &&
        nameOf({ path: route.path, query }) !== restored;
      remember(ours && amends ? 'page' : 'change');
      if (ours) return;
      const exact = nameOf({ path: route.path, query }) === restored;
      if (route.path !== before.path && !exact) return;
      for (const part of parts) {
        // The page that is left keeps what it shows, for when somebody comes back to it.
        if ((part.shared || route.path === before.path) && !agrees(query, part.write()))
          part.read(query);
      }
    },
    { flush: 'sync' },
  );

  // Back, Forward, an address typed in: as exact as undo is.
  router.options.history.listen((to) => {
    const { path, query } = router.resolve(to);
    restored = nameOf({ path, query: plain(query) });
  });

  function remember(cause: Cause): void {
    const { matched, path, query } = router.currentRoute.value;
    // Before its first navigation the router is nowhere.
    if (matched.length === 0) return;
    const view = { path, query: plain(query) };
    const moved = nameOf(view) === restored;
    if (!moved) restored = '';
    steps.record(view, performance.now(), moved ? 'move' : cause);
    canUndo.value = steps.canUndo;
    canRedo.value = steps.canRedo;
  }

  remember('change');

  async function restore(view: View | null): Promise<void> {
    if (view === null) return;
    restored = nameOf(view);
    await router.push({ path: view.path, query: view.query });
  }

  /** Take the last change of the view back, on whichever page it was. */
  function undo(): Promise<void> {
    return restore(steps.undo());
  }

  /** Make the change again that was taken back last. */
  function redo(): Promise<void> {
    return restore(steps.redo());
  }

  /** Keep this part in the URL for as long as the calling scope lives. */
  function follow(part: UrlPart): void {
    const { path, query: said } = router.currentRoute.value;
    const query = plain(said);
    // A page that is come back to is as it was left; a link, undo and Back say how it is to be.
    const exact = nameOf({ path, query }) === restored;
    if (exact || Object.keys(part.write()).some((name) => query[name] !== undefined))
      part.read(query);
    parts.add(part);
    amend();
    onScopeDispose(() => parts.delete(part));
  }

  /** What is changed in the same breath is nobody's choice: a page says how it shows what it was given. */
  function amend(): void {
    followed.value++;
  }

  /** Query arguments that belong to every page. */
  function shared(): Query {
    return Object.assign(
      {},
      ...[...parts].filter((part) => part.shared).map((part) => part.write()),
    ) as Query;
  }

  /**
   * Go to another page, which is as it was left but for what is told of it. Whatever is changed in
   * the same breath is written first: of two navigations at once the router drops the one that
   * began before.
   */
  async function go(path: string, told: Query = {}): Promise<void> {
    await nextTick();
    if (router.currentRoute.value.path !== path) await router.push({ path, query: shared() });
    // Only now does the page say how it was left.
    await nextTick();
    const query = {
      ...(Object.assign({}, ...[...parts].map((part) => part.write())) as Query),
      ...told,
    };
    if (!agrees(plain(router.currentRoute.value.query), told)) await router.push({ query });
  }

  return { isNewer, follow, amend, shared, go, undo, redo, canUndo, canRedo };
});

/** The query with one value for each name. */
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

/** A name of a view: equal views, equal names. */
function nameOf({ path, query }: View): string {
  return `${path} ${text(query)}`;
}

function agrees(query: Query, written: Query): boolean {
  return Object.entries(written).every(([name, value]) => query[name] === value);
}
