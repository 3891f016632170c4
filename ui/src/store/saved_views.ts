import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import { ApiError } from '@/api/client';
import { deleteView, fetchViews, putView, type SavedView, type ViewChanges } from '@/api/views';
import { naturalOrder } from '@/base/natural_order';
import { queryArguments, queryText } from '@/base/view_link';
import type { View } from '@/base/view_steps';

import { wholeQuery } from './long_texts';
import { useUrlState } from './url_state';

const ID_BYTES = 8;
/** Milliseconds that a start without a link waits for the default view; the page is empty meanwhile. */
const PATIENCE = 2_000;

interface FormerView {
  readonly view: SavedView;
  readonly change: 'deleted' | 'replaced';
}

interface MissingView {
  /** The id or name in the link; empty: the default view. */
  readonly key: string;
  /** Why the views could not be read; null: there is no such view. */
  readonly problem: string | null;
}

/** What a link to a view leads to. */
export const viewOf = ({ page, query }: SavedView): View => ({
  path: `/${page}`,
  query: queryArguments(query),
});

const textOf = ({ path, query }: View): string => {
  const sorted = Object.entries(wholeQuery(query)).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${path}?${queryText(Object.fromEntries(sorted))}`;
};

/** Views that users gave a name, shared by all who open the log directory. */
export const useSavedViews = defineStore('saved_views', () => {
  const url = useUrlState();
  const views = shallowRef<readonly SavedView[]>([]);
  const known = ref(false);
  /** Why views cannot be read or changed, or null. */
  const problem = ref<string | null>(null);
  /** A link that leads to no view. */
  const missing = shallowRef<MissingView | null>(null);
  /** The view deleted or replaced last, as it was, to restore it. */
  const former = shallowRef<FormerView | null>(null);
  const openedId = ref('');

  const opened = computed(() => views.value.find((view) => view.view_id === openedId.value));
  const isShown = (view: SavedView): boolean => textOf(viewOf(view)) === textOf(url.here());
  /** Whether the page shows something else than the view opened last. */
  const isModified = computed(() => opened.value !== undefined && !isShown(opened.value));

  const named = (name: string): SavedView | undefined =>
    views.value.find((view) => view.name === name.trim());

  async function refresh(): Promise<void> {
    await attempt(async () => {
      const found = await fetchViews();
      views.value = [...found].sort((a, b) => naturalOrder(a.name, b.name));
      known.value = true;
    });
  }

  /** Whether it succeeded; otherwise, `problem` has the reason. */
  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      problem.value = null;
      return true;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      problem.value = reason.message;
      return false;
    }
  }

  async function change(id: string, changes: ViewChanges): Promise<boolean> {
    const done = await attempt(() => putView(id, changes));
    if (done) await refresh();
    return done;
  }

  function current(): ViewChanges {
    const { path, query } = url.here();
    return { page: path.slice(1), query: queryText(wholeQuery(query)) };
  }

  /** Save the current view under this name; one of the same name is replaced. */
  async function save(name: string): Promise<boolean> {
    const before = named(name);
    if (before) return update(before);
    const id = newId();
    const done = await change(id, { name: name.trim(), ...current() });
    if (done) openedId.value = id;
    return done;
  }

  async function update(view: SavedView): Promise<boolean> {
    const done = await change(view.view_id, current());
    if (done) {
      openedId.value = view.view_id;
      former.value = { view, change: 'replaced' };
    }
    return done;
  }

  const rename = (view: SavedView, name: string): Promise<boolean> =>
    change(view.view_id, { name: name.trim() });

  const setDefault = (view: SavedView, is: boolean): Promise<boolean> =>
    change(view.view_id, { is_default: is });

  async function remove(view: SavedView): Promise<void> {
    if (!(await attempt(() => deleteView(view.view_id)))) return;
    former.value = { view, change: 'deleted' };
    await refresh();
  }

  async function restoreFormer(): Promise<void> {
    if (!former.value) return;
    const { view_id: id, ...fields } = former.value.view;
    if (await change(id, fields)) former.value = null;
  }

  async function open(view: SavedView): Promise<void> {
    openedId.value = view.view_id;
    missing.value = null;
    await url.restore(viewOf(view));
  }

  /** The view to start with; null: there is none. */
  function begin(view: SavedView | undefined): View | null {
    if (!view) return null;
    openedId.value = view.view_id;
    // The page may be open already, with another state.
    url.restoreNext(viewOf(view));
    return viewOf(view);
  }

  async function beginWithDefault(): Promise<View | null> {
    await Promise.race([refresh(), new Promise((done) => setTimeout(done, PATIENCE))]);
    missing.value = problem.value === null ? null : { key: '', problem: problem.value };
    return begin(views.value.find((view) => view.is_default));
  }

  /** `key`: the id or name in a link. */
  async function beginWith(key: string): Promise<View | null> {
    await refresh();
    const view = begin(views.value.find(({ view_id: id }) => id === key) ?? named(key));
    missing.value = view === null ? { key, problem: problem.value } : null;
    return view;
  }

  /** Follow the link again that led to no view. */
  async function retryMissing(): Promise<void> {
    if (missing.value === null) return;
    const { key } = missing.value;
    const view = await (key === '' ? beginWithDefault() : beginWith(key));
    if (view !== null) await url.restore(view);
  }

  return {
    views,
    known,
    problem,
    missing,
    former,
    opened,
    isModified,
    isShown,
    named,
    refresh,
    save,
    update,
    rename,
    setDefault,
    remove,
    restoreFormer,
    open,
    beginWithDefault,
    beginWith,
    retryMissing,
  };
});

function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const linkTo = (view: SavedView): string =>
  new URL(`#/view/${view.view_id}`, location.href).href;
