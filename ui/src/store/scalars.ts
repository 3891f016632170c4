import { defineStore } from 'pinia';
import { onScopeDispose, ref, shallowReactive, shallowRef, watch } from 'vue';

import { fetchAside } from '@/api/restarts';
import { fetchScalars } from '@/api/scalars';
import { countUse } from '@/base/counted';

import { useLive } from './live';
import { redrawsOf } from './redraws';
import { ScalarCache } from './scalar_cache';
import type { Window } from './scalar_windows';
import { useSelection } from './selection';
import { useTrainJobs } from './train_jobs';

const CHART_BUDGET = 120_000;
const LEAST_POINTS = 100;
const USUAL_POINTS = 1_000;
const LARGE_POINTS = 4_000;

export const useScalars = defineStore('scalars', () => {
  const live = useLive();
  const jobs = useTrainJobs();
  const selection = useSelection();

  /** tag -> revision of its series; charts depend on it. */
  const revisions = shallowReactive(new Map<string, number>());
  const mounted = shallowReactive(new Map<string, { charts: number; large: boolean }>());
  const window = shallowRef<Window>(null);
  /** Of charts with another x axis than the page, by tag, or by text after `=`. */
  const windows = shallowRef<ReadonlyMap<string, Window>>(new Map());
  const smoothing = ref('');
  /** Of charts that have their own, by tag, or by text after `=`. */
  const smoothings = shallowRef<ReadonlyMap<string, string>>(new Map());
  const xTag = ref<string | null>(null);
  /** The tag whose last value is shown beside each job. */
  const valueTag = ref<string | null>(null);

  const inView = shallowReactive(new Map<string, number>());
  const redraws = redrawsOf((tags) => {
    for (const tag of tags) revisions.set(tag, (revisions.get(tag) ?? 0) + 1);
  });
  const cache = new ScalarCache(
    { scalars: redraws.counted(fetchScalars), aside: fetchAside },
    redraws.add,
  );

  const smoothingOf = (tag: string): string => smoothings.value.get(tag) ?? smoothing.value;

  function windowOf(tag: string): Window {
    const own = windows.value.get(tag);
    return own === undefined ? window.value : own;
  }

  function has(trainId: string, tag: string): boolean {
    const tags = jobs.byId.get(trainId)?.plugins['scalar'];
    return tags !== undefined && setOf(tags).has(tag);
  }

  const shareOf = (): number =>
    Math.max(LEAST_POINTS, Math.floor(CHART_BUDGET / Math.max(1, selection.drawn.length)));

  const pointsFor = (large: boolean): number =>
    Math.min(large ? LARGE_POINTS : USUAL_POINTS, shareOf());

  function look(): void {
    const tags = new Map([...mounted].map(([tag, { large }]) => [tag, pointsFor(large)]));
    // A window of a large chart shows every point, within the budget.
    const windowTags = new Map(
      [...mounted].map(([tag, { large }]) => [tag, large ? shareOf() : pointsFor(false)]),
    );
    if (valueTag.value !== null && !tags.has(valueTag.value))
      tags.set(valueTag.value, pointsFor(false));
    const drawn = new Set(mounted.size > 0 ? selection.drawn : []);
    const beside = [...inView.keys()].filter(
      (id) => !drawn.has(id) && selection.selectedSet.has(id),
    );
    // Beside the jobs in view is their last value, also if no chart draws it.
    const wants = (id: string, tag: string): boolean =>
      ((drawn.has(id) && mounted.has(tag)) || (inView.has(id) && tag === valueTag.value)) &&
      has(id, tag);
    const trainIds = [...drawn, ...beside];
    void cache.look({
      tags,
      windowTags,
      trainIds,
      window: window.value,
      windows: windows.value,
      smoothing: smoothing.value,
      smoothings: smoothings.value,
      xTag: xTag.value,
      has: wants,
    });
  }

  watch(
    [
      mounted,
      valueTag,
      xTag,
      inView,
      () => selection.visible,
      () => selection.selected,
      window,
      windows,
      smoothing,
      smoothings,
      () => jobs.byId,
    ],
    look,
    { flush: 'post' },
  );
  live.onChange((version) => cache.follow(version));

  /** Requests the tag's series while they are `needed`, until the calling scope ends. */
  function useTag(tag: string, large: () => boolean, needed: () => boolean = () => true) {
    let counted = false;
    const count = (now: boolean): void => {
      if (now === counted) return;
      counted = now;
      const charts = (mounted.get(tag)?.charts ?? 0) + (now ? 1 : -1);
      if (charts === 0) mounted.delete(tag);
      else mounted.set(tag, { charts, large: mounted.get(tag)?.large ?? false });
    };
    watch(needed, count, { immediate: true });
    watch(
      [large, needed],
      ([value]) => {
        const known = mounted.get(tag);
        if (counted && known) mounted.set(tag, { ...known, large: value });
      },
      { immediate: true },
    );
    onScopeDispose(() => count(false));
    const revision = (): number => revisions.get(tag) ?? 0;
    return {
      revision,
      slot: (trainId: string) => cache.get(trainId, tag),
      failure: () => (revision(), cache.failure(tag)),
      /** Whether what is here is older than the settings. */
      stale: () => {
        revision();
        const trainIds = selection.drawn.filter((id) => has(id, tag));
        return cache.isStale(tag, trainIds, windowOf(tag), smoothingOf(tag));
      },
    };
  }

  function useLastValue(trainId: () => string): () => number | null {
    watch(trainId, (id, _, onCleanup) => onCleanup(countUse(inView, id)), { immediate: true });
    return () => {
      if (valueTag.value === null) return null;
      void revisions.get(valueTag.value);
      const whole = cache.get(trainId(), valueTag.value)?.whole;
      if (!whole) return null;
      // On a scalar x axis, the last point is not the one with the largest step.
      const last = whole.x
        ? whole.step.indexOf(whole.step.reduce((a, b) => Math.max(a, b), -Infinity))
        : whole.step.length - 1;
      return whole.value[last] ?? null;
    };
  }

  return {
    window,
    windows,
    windowOf,
    smoothing,
    smoothings,
    smoothingOf,
    xTag,
    valueTag,
    useLastValue,
    useTag,
    has,
    pointsFor,
    retry: () => cache.retry(),
  };
});

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** A cached set: jobs have thousands of tags, looked up often. */
function setOf(list: readonly string[]): ReadonlySet<string> {
  const known = sets.get(list);
  if (known) return known;
  const made = new Set(list);
  sets.set(list, made);
  return made;
}
