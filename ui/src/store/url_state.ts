import { defineStore } from 'pinia';
import { nextTick, onScopeDispose, shallowReactive, watch } from 'vue';
import { useRouter, type LocationQuery } from 'vue-router';

export type Query = Readonly<Record<string, string | undefined>>;

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
  /** What we wrote last: the navigation that it causes is no news. */
  let written = '';

  watch(
    () => ({
      query: Object.assign({}, ...[...parts].map((part) => part.write())) as Query,
      parts: parts.size,
      step: JSON.stringify([...parts].map((part) => part.step?.() ?? null)),
    }),
    (now, before) => {
      const here = plain(router.currentRoute.value.query);
      if (agrees(here, now.query)) return;
      const query = { ...here, ...now.query };
      written = text(query);
      const isStep = now.step !== before.step && now.parts === before.parts;
      void (isStep ? router.push({ query }) : router.replace({ query }));
    },
    { flush: 'post' },
  );

  watch(
    () => router.currentRoute.value,
    (route, before) => {
      const query = plain(route.query);
      if (text(query) === written || route.path !== before.path) return;
      for (const part of parts) {
        if (!agrees(query, part.write())) part.read(query);
      }
    },
  );

  /** Keep this part in the URL for as long as the calling scope lives. */
  function follow(part: UrlPart): void {
    const query = plain(router.currentRoute.value.query);
    // A page that is come back to is as it was left; a link says how it is to be.
    if (Object.keys(part.write()).some((name) => query[name] !== undefined)) part.read(query);
    parts.add(part);
    onScopeDispose(() => parts.delete(part));
  }

  /** Query arguments that belong to every page. */
  function shared(): Query {
    return Object.assign({}, ...[...parts].filter((part) => part.shared).map((part) => part.write())) as Query;
  }

  /**
   * Go to another page. Whatever is changed in the same breath is written first: of two
   * navigations at once the router drops the one that began before.
   */
  async function go(path: string): Promise<void> {
    await nextTick();
    if (router.currentRoute.value.path !== path) await router.push({ path, query: shared() });
  }

  return { follow, shared, go };
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
  return JSON.stringify(Object.entries(query).filter(([, value]) => value !== undefined).sort());
}

function agrees(query: Query, written: Query): boolean {
  return Object.entries(written).every(([name, value]) => query[name] === value);
}
