import { defineStore } from 'pinia';
import { computed, shallowReactive, watch } from 'vue';
import { useRoute } from 'vue-router';

import { useDerivedPlugins } from '@/plugins/derived_plugins';
import type { PlaceName } from '@/plugins/places';
import { PLACE_NAMES } from '@/plugins/places';
import type { Plugin } from '@/plugins/plugin';
import { hasDataFor, needsData } from '@/plugins/presence';
import { pagesIn, plugins } from '@/plugins/registry';
import { keep, keptJson } from '@/store/local_storage';
import { useSelection } from '@/store/selection';
import { useTrainJobs } from '@/store/train_jobs';

export interface PageEntry {
  readonly page: Plugin;
  /** Whether runs have data for it that the selected ones lack. */
  readonly faded: boolean;
}

interface PageLink {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

export interface PlaceEntry {
  readonly name: PlaceName;
  readonly icon: string;
  /** Its tabs. */
  readonly pages: readonly PageEntry[];
  /** The page that the rail leads to. */
  readonly target: Plugin;
  readonly faded: boolean;
}

const COMPARING = plugins.filter(({ compares }) => compares);
/** The mode that compares runs. */
const COMPARISON = plugins.find((page) => page.mode);

const LAST_TABS = 'last-tabs';

function keptTabs(): [string, string][] {
  const tabs = keptJson(LAST_TABS);
  return typeof tabs === 'object' && tabs !== null
    ? Object.entries(tabs).filter((tab): tab is [string, string] => typeof tab[1] === 'string')
    : [];
}

/** The places and tabs to offer: those that a run has data for, and the current one. */
export const usePageEntries = defineStore('page_entries', () => {
  const jobs = useTrainJobs();
  const route = useRoute();
  const selection = useSelection();
  const derivedPlugins = useDerivedPlugins();
  /** Place -> its page shown last, also before a reload. */
  const lastVisited = shallowReactive(new Map(keptTabs()));

  const routed = computed(() => plugins.find(({ name }) => name === route.name));
  /** The mode that the current page is in, such as comparing. */
  const mode = computed(() => routed.value?.mode);
  const current = computed(() => {
    if (!mode.value) return routed.value;
    const name = mode.value.pageOf(route.query);
    return COMPARING.find((page) => page.name === name) ?? COMPARING[0];
  });
  watch(
    current,
    (page) => {
      if (!page) return;
      lastVisited.set(page.place, page.name);
      keep(LAST_TABS, JSON.stringify(Object.fromEntries(lastVisited)));
    },
    { immediate: true },
  );

  const selected = computed(() => selection.selected.flatMap((id) => jobs.byId.get(id) ?? []));

  const entries = computed(() => {
    return new Map(
      plugins.flatMap((page) => {
        const entry = entryOf(page);
        return entry ? [[page, entry] as const] : [];
      }),
    );
  });

  function entryOf(page: Plugin): PageEntry | null {
    if (!needsData(page)) return { page, faded: false };
    // Whether runs have their data is known only by asking for it.
    if (page.rest && derivedPlugins.names.length > 0) return { page, faded: false };
    if (page !== current.value && !jobs.kinds.some((kind) => hasDataFor(page, kind))) return null;
    return { page, faded: jobs.known && !selected.value.some((job) => hasDataFor(page, job)) };
  }

  const places = computed(() =>
    PLACE_NAMES.flatMap((name): PlaceEntry[] => {
      const pages = pagesIn(name).flatMap((page) =>
        page.mode ? [] : (entries.value.get(page) ?? []),
      );
      const first = pages.find(({ faded }) => !faded) ?? pages[0];
      if (!first) return [];
      const last = pages.find(({ page }) => page.name === lastVisited.get(name));
      return [
        {
          name,
          icon: pagesIn(name)[0]?.icon ?? '',
          pages,
          target: (last ?? first).page,
          faded: pages.every(({ faded }) => faded),
        },
      ];
    }),
  );

  const currentPlace = computed(() =>
    places.value.find(({ name }) => name === current.value?.place),
  );

  /** Whether the current page compares, and where its switch leads; null: it cannot. */
  const comparing = computed(() => {
    const page = current.value;
    if (!COMPARISON?.mode || !page?.compares) return null;
    const isOn = mode.value !== undefined;
    return { name: COMPARISON.name, isOn, to: isOn ? linkOf(page, false) : linkOf(page, true) };
  });

  /** A tab keeps the mode where its page has it. */
  function linkOf(page: Plugin, compare = mode.value !== undefined): PageLink {
    return compare && page.compares && COMPARISON?.mode
      ? { path: `/${COMPARISON.name}`, query: COMPARISON.mode.queryOf(page.name) }
      : { path: `/${page.name}`, query: {} };
  }

  return { current, comparing, linkOf, places, currentPlace, load: derivedPlugins.load };
});
