import { defineStore } from 'pinia';
import { computed, shallowReactive, watch } from 'vue';
import { useRoute } from 'vue-router';

import { useDerivedPlugins } from '@/plugins/derived_plugins';
import type { PlaceName } from '@/plugins/places';
import { PLACE_NAMES } from '@/plugins/places';
import type { Plugin } from '@/plugins/plugin';
import { hasDataFor, needsData } from '@/plugins/presence';
import { pagesIn, plugins } from '@/plugins/registry';
import { useSelection } from '@/store/selection';
import { useTrainJobs } from '@/store/train_jobs';

export interface PageEntry {
  readonly page: Plugin;
  /** Whether runs have data for it that the selected ones lack. */
  readonly faded: boolean;
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

/** The places and tabs to offer: those that a run has data for, and the current one. */
export const usePageEntries = defineStore('page_entries', () => {
  const jobs = useTrainJobs();
  const route = useRoute();
  const selection = useSelection();
  const derivedPlugins = useDerivedPlugins();
  const lastVisited = shallowReactive(new Map<PlaceName, string>());

  const current = computed(() => plugins.find(({ name }) => name === route.name));
  watch(
    current,
    (page) => {
      if (page) lastVisited.set(page.place, page.name);
    },
    { immediate: true },
  );

  const selected = computed(() => selection.selected.flatMap((id) => jobs.byId.get(id) ?? []));

  const entries = computed(() => {
    const all = [...jobs.byId.values()];
    return new Map(
      plugins.flatMap((page) => {
        const entry = entryOf(page, all);
        return entry ? [[page, entry] as const] : [];
      }),
    );
  });

  function entryOf(page: Plugin, all: typeof selected.value): PageEntry | null {
    if (!needsData(page)) return { page, faded: false };
    // Whether runs have their data is known only by asking for it.
    if (page.rest && derivedPlugins.names.length > 0) return { page, faded: false };
    if (page !== current.value && !all.some((job) => hasDataFor(page, job))) return null;
    return { page, faded: jobs.known && !selected.value.some((job) => hasDataFor(page, job)) };
  }

  const places = computed(() =>
    PLACE_NAMES.flatMap((name): PlaceEntry[] => {
      const pages = pagesIn(name).flatMap((page) => entries.value.get(page) ?? []);
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

  return { current, places, currentPlace, load: derivedPlugins.load };
});
