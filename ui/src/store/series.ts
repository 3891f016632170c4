import { defineStore } from 'pinia';
import {
  computed,
  effectScope,
  onScopeDispose,
  ref,
  shallowRef,
  watch,
  type ComputedRef,
  type EffectScope,
  type Ref,
  type ShallowRef,
} from 'vue';

import { ApiError } from '@/api/client';
import {
  appended,
  fetchSeries,
  fewerSteps,
  LARGEST_SAMPLE,
  type Series,
  type SeriesUpdate,
} from '@/api/series';

import { useTrainJobs } from './train_jobs';

/** Browsers allow six; others need some. */
const MOST_REQUESTS = 4;
const LARGE_SERIES: ReadonlySet<string> = new Set(['pr_curve', 'roc_curve']);
const MOST_KEPT = 60;

interface Entry {
  readonly pluginName: string;
  readonly trainId: string;
  readonly tag: string;
  readonly answer: ShallowRef<Series | null>;
  readonly problem: Ref<string | null>;
  cursor: string | null;
  sample: number | null;
  version: number | null;
  users: number;
  busy: boolean;
}

const useSeriesCache = defineStore('series', () => {
  const jobs = useTrainJobs();
  const entries = new Map<string, Entry>();
  let waiting: Entry[] = [];
  let active = 0;

  const versionOf = (entry: Entry): number | null => jobs.byId.get(entry.trainId)?.version ?? null;

  function want(entry: Entry): void {
    if (entry.busy || waiting.includes(entry)) return;
    waiting.push(entry);
    next();
  }

  function next(): void {
    while (active < MOST_REQUESTS && waiting.length > 0) {
      const entry = waiting.pop();
      if (entry && entry.users > 0) void ask(entry);
    }
  }

  async function ask(entry: Entry): Promise<void> {
    active++;
    entry.busy = true;
    const version = versionOf(entry);
    try {
      const update = await answerOf(entry);
      entry.answer.value = appended(entry.answer.value, update);
      entry.cursor = update.cursor;
      entry.problem.value = null;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      // Old data is better than an error if the server is unreachable.
      if (entry.answer.value === null || !reason.unreachable) entry.problem.value = reason.message;
    } finally {
      active--;
      entry.busy = false;
      entry.version = version;
    }
    if (entry.users > 0 && versionOf(entry) !== version) want(entry);
    next();
  }

  /** All steps, or as many as fit. */
  async function answerOf(entry: Entry): Promise<SeriesUpdate> {
    for (;;) {
      try {
        return await fetchSeries(
          entry.pluginName,
          entry.trainId,
          entry.tag,
          entry.cursor,
          entry.sample,
        );
      } catch (reason) {
        if (!(reason instanceof ApiError && reason.tooLarge) || entry.sample === 1) throw reason;
        entry.sample = fewerSteps(entry.sample);
        entry.cursor = null;
      }
    }
  }

  watch(
    () => jobs.byId,
    () => {
      for (const entry of entries.values()) {
        if (entry.users > 0 && entry.version !== versionOf(entry)) want(entry);
      }
    },
  );

  function take(pluginName: string, trainId: string, tag: string): Entry {
    const key = JSON.stringify([pluginName, trainId, tag]);
    const known = entries.get(key);
    const entry: Entry = known ?? {
      pluginName,
      trainId,
      tag,
      answer: shallowRef(null),
      problem: ref(null),
      cursor: null,
      sample: LARGE_SERIES.has(pluginName) ? LARGEST_SAMPLE : null,
      version: null,
      users: 0,
      busy: false,
    };
    entries.delete(key);
    entries.set(key, entry);
    entry.users++;
    if (entry.answer.value === null || entry.version !== versionOf(entry)) want(entry);
    return entry;
  }

  function release(entry: Entry): void {
    entry.users--;
    waiting = waiting.filter((other) => other.users > 0);
    let unused = [...entries.values()].filter((other) => other.users === 0).length;
    for (const [key, other] of entries) {
      if (unused <= MOST_KEPT) break;
      if (other.users > 0) continue;
      entries.delete(key);
      unused--;
    }
  }

  function retry(): void {
    for (const entry of entries.values()) {
      if (entry.users === 0 || entry.problem.value === null) continue;
      entry.problem.value = null;
      want(entry);
    }
  }

  return { take, release, retry };
});

export interface KnownSeries<Kind extends Series> {
  /** Null until the first answer. Stays while newer data is fetched. */
  readonly series: ComputedRef<Kind | null>;
  readonly problem: ComputedRef<string | null>;
  readonly waiting: ComputedRef<boolean>;
  readonly retry: () => void;
  /** Loaded and total steps, if not all fit into one answer. */
  readonly sampled: ComputedRef<Sampled | null>;
}

export type Sampled = readonly [here: number, all: number];

export function useSeries<Kind extends Series>(
  pluginName: string,
  trainId: () => string,
  tag: () => string,
): KnownSeries<Kind> {
  const cache = useSeriesCache();
  const entry = shallowRef<Entry | null>(null);
  watch(
    () => [trainId(), tag()] as const,
    ([id, name]) => {
      if (entry.value) cache.release(entry.value);
      entry.value = cache.take(pluginName, id, name);
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    if (entry.value) cache.release(entry.value);
  });
  return {
    series: computed(() => (entry.value?.answer.value ?? null) as Kind | null),
    problem: computed(() => entry.value?.problem.value ?? null),
    waiting: computed(
      () => entry.value?.answer.value === null && entry.value.problem.value === null,
    ),
    retry: () => cache.retry(),
    sampled: computed(() => {
      const known = entry.value?.answer.value;
      return known && known.step.length < known.total ? [known.step.length, known.total] : null;
    }),
  };
}

export function useSeriesOfJobs<Kind extends Series>(
  pluginName: string,
  trainIds: () => readonly string[],
  tag: () => string,
): ShallowRef<ReadonlyMap<string, KnownSeries<Kind>>> {
  const known = shallowRef<ReadonlyMap<string, KnownSeries<Kind>>>(new Map());
  const scopes = new Map<string, { scope: EffectScope; series: KnownSeries<Kind> }>();

  function follow(trainId: string): { scope: EffectScope; series: KnownSeries<Kind> } {
    const scope = effectScope(true);
    const series = scope.run(() => useSeries<Kind>(pluginName, () => trainId, tag));
    if (!series) throw new Error('A scope that was just made is active.');
    return { scope, series };
  }

  watch(
    trainIds,
    (ids) => {
      const current = new Set(ids);
      for (const [id, { scope }] of scopes) {
        if (current.has(id)) continue;
        scope.stop();
        scopes.delete(id);
      }
      for (const id of current) if (!scopes.has(id)) scopes.set(id, follow(id));
      known.value = new Map(
        [...current].flatMap((id) => {
          const entry = scopes.get(id);
          return entry ? [[id, entry.series] as const] : [];
        }),
      );
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    for (const { scope } of scopes.values()) scope.stop();
  });
  return known;
}
