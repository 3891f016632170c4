import { defineStore } from 'pinia';
import { onScopeDispose, ref, shallowReactive, shallowRef, watch } from 'vue';

import { fetchAside } from '@/api/restarts';
import { fetchScalars } from '@/api/scalars';

import { useLive } from './live';
import { ScalarCache, type Slot } from './scalar_cache';
import type { Window } from './scalar_windows';
import { useSelection } from './selection';
import { useTrainJobs } from './train_jobs';

/** Points per chart, all jobs together: the more jobs, the fewer for each. */
const CHART_BUDGET = 120_000;
const LEAST_POINTS = 100;
const USUAL_POINTS = 1_000;
const LARGE_POINTS = 4_000;

/** Scalar series of the chosen jobs, for the tags of the mounted charts, kept up to date. */
export const useScalars = defineStore('scalars', () => {
  const live = useLive();
  const jobs = useTrainJobs();
  const selection = useSelection();

  /** tag -> how often its series changed: what charts depend on. */
  const revisions = shallowReactive(new Map<string, number>());
  const mounted = shallowReactive(new Map<string, { charts: number; large: boolean }>());
  const window = shallowRef<Window>(null);
  const smoothing = ref('');
  /** The tag whose values are the x axis; null: steps or times are. */
  const xTag = ref<string | null>(null);
  /** The tag whose last value stands beside each job; followed whether its chart is in view or not. */
  const valueTag = ref<string | null>(null);

  /** Jobs whose last value stands somewhere in view, and how often. */
  const inView = shallowReactive(new Map<string, number>());
  const cache = new ScalarCache({ scalars: fetchScalars, aside: fetchAside }, (tags) => {
    for (const tag of tags) revisions.set(tag, (revisions.get(tag) ?? 0) + 1);
  });

  function has(trainId: string, tag: string): boolean {
    const tags = jobs.byId.get(trainId)?.plugins['scalar'];
    return tags !== undefined && setOf(tags).has(tag);
  }

  /** Of a chart's points those of one job. */
  function shareOf(): number {
    return Math.max(LEAST_POINTS, Math.floor(CHART_BUDGET / Math.max(1, selection.drawn.length)));
  }

  function pointsFor(large: boolean): number {
    return Math.min(large ? LARGE_POINTS : USUAL_POINTS, shareOf());
  }

  function look(): void {
    const tags = new Map([...mounted].map(([tag, { large }]) => [tag, pointsFor(large)]));
    // Whoever looks at a part of one large chart wants every point of it, as long as there is room.
    const windowTags = new Map(
      [...mounted].map(([tag, { large }]) => [tag, large ? shareOf() : pointsFor(false)]),
    );
    if (valueTag.value !== null && !tags.has(valueTag.value))
      tags.set(valueTag.value, pointsFor(false));
    const drawn = new Set(selection.drawn);
    // Of chosen jobs that no chart draws the values beside their names are asked for alone.
    const beside = [...inView.keys()].filter((id) => !drawn.has(id) && selection.chosenSet.has(id));
    const wants = (id: string, tag: string): boolean =>
      (drawn.has(id) || tag === valueTag.value) && has(id, tag);
    const trainIds = beside.length === 0 ? selection.drawn : [...selection.drawn, ...beside];
    void cache.look({
      tags,
      windowTags,
      trainIds,
      window: window.value,
      smoothing: smoothing.value,
      xTag: xTag.value,
      has: wants,
    });
  }

  // Mounting a page of charts is one question, not one for each chart.
  watch(
    [mounted, valueTag, xTag, inView, () => selection.chosen, window, smoothing, () => jobs.byId],
    look,
    { flush: 'post' },
  );
  live.onChange((version) => cache.follow(version));

  /** The series of one tag for as long as the calling scope lives. */
  function useTag(
    tag: string,
    large: () => boolean,
  ): {
    slot: (trainId: string) => Slot | undefined;
    revision: () => number;
    failure: () => string | undefined;
  } {
    watch(large, (value) =>
      mounted.set(tag, { charts: mounted.get(tag)?.charts ?? 1, large: value }),
    );
    mounted.set(tag, { charts: (mounted.get(tag)?.charts ?? 0) + 1, large: large() });
    onScopeDispose(() => {
      const left = (mounted.get(tag)?.charts ?? 1) - 1;
      if (left === 0) mounted.delete(tag);
      else mounted.set(tag, { charts: left, large: mounted.get(tag)?.large ?? false });
    });
    const revision = (): number => revisions.get(tag) ?? 0;
    return {
      revision,
      slot: (trainId) => cache.get(trainId, tag),
      failure: () => (revision(), cache.failure(tag)),
    };
  }

  /** The last number of `valueTag` in a job, asked for as long as the calling scope lives; null if there is none (yet). */
  function useLastValue(trainId: () => string): () => number | null {
    watch(
      trainId,
      (id, _, onCleanup) => {
        inView.set(id, (inView.get(id) ?? 0) + 1);
        onCleanup(() => {
          const left = (inView.get(id) ?? 1) - 1;
          if (left === 0) inView.delete(id);
          else inView.set(id, left);
        });
      },
      { immediate: true },
    );
    return () => {
      if (valueTag.value === null) return null;
      void revisions.get(valueTag.value);
      const whole = cache.get(trainId(), valueTag.value)?.whole;
      if (!whole) return null;
      // Where another scalar is the x axis, the last point is not the one furthest to the right.
      const last = whole.x
        ? whole.step.indexOf(whole.step.reduce((a, b) => Math.max(a, b), -Infinity))
        : whole.step.length - 1;
      return whole.value[last] ?? null;
    };
  }

  return {
    window,
    smoothing,
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

/** A list as a set, made once: jobs have thousands of tags, and each is asked for often. */
function setOf(list: readonly string[]): ReadonlySet<string> {
  const known = sets.get(list);
  if (known) return known;
  const made = new Set(list);
  sets.set(list, made);
  return made;
}
