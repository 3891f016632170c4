import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';

import { ApiError } from '@/api/client';
import { fetchRuleMarks, ODD_KINDS, type MarksOfRuns } from '@/api/findings';

import { useLive } from './live';
import { eventsOf, finiteRules, MOST_RUNS, seriesKey, type Anomaly } from './rule_events';
import { useSelection } from './selection';

/** Milliseconds between requests, while the server checks runs and while they grow. */
const CHECKING = 1_000;
const GROWING = 5_000;
const NONE: readonly Anomaly[] = [];

/** What the rules found in the series of drawn runs, once a page has called `follow`. */
export const useAnomalies = defineStore('anomalies', () => {
  const live = useLive();
  const selection = useSelection();
  const marks = shallowRef<MarksOfRuns>({});
  /** The version of the answer for these runs. */
  let etag: string | null = null;
  let pause: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let following = false;
  let latest = 0;

  const trainIds = computed(() =>
    selection.drawn.length > MOST_RUNS ? [] : [...selection.drawn].sort(),
  );

  const rulesOf = computed(() => finiteRules(marks.value));

  /** By run and tag; lists of equal content keep their identity. */
  const bySeries = computed<ReadonlyMap<string, readonly Anomaly[]>>(
    (before) =>
      new Map(
        [...eventsOf(rulesOf.value)].map(([name, list]) => [name, same(before?.get(name), list)]),
      ),
  );

  /** How many events of each tag are not marked. */
  const unmarked = computed<ReadonlyMap<string, number>>(() => {
    const counts = new Map<string, number>();
    const count = (tag: string, n: number): unknown => counts.set(tag, (counts.get(tag) ?? 0) + n);
    for (const [, rules] of rulesOf.value)
      for (const { tag, places } of rules) count(tag, places.length);
    for (const [name, list] of bySeries.value)
      count(name.slice(name.indexOf('\0') + 1), -list.length);
    return counts;
  });

  const all = computed(() => [...bySeries.value.values()].flat());

  const of = (trainId: string, tag: string): readonly Anomaly[] =>
    bySeries.value.get(seriesKey(trainId, tag)) ?? NONE;

  /** Whether values of a series begin to be NaN or infinite after `from`, up to `to`. */
  const isOddWithin = (trainId: string, tag: string, from: number, to: number): boolean =>
    (marks.value[trainId] ?? []).some(
      (one) =>
        one.tag === tag &&
        ODD_KINDS.includes(one.kind) &&
        one.places.some(([step]) => step > from && step <= to),
    );

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const turn = ++latest;
    const asked = trainIds.value;
    if (asked.length === 0) {
      marks.value = {};
      return;
    }
    try {
      const { etag: version, answer } = await fetchRuleMarks(asked, etag);
      // Other runs have been requested meanwhile.
      if (turn !== latest) return;
      etag = version;
      if (answer !== null) {
        marks.value = answer.marks;
        if (answer.looked_into < answer.train_jobs) pause = CHECKING;
        else pause = answer.outdated === 0 ? null : GROWING;
      }
      if (pause === null) return;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      if (turn !== latest) return;
    }
    schedule(pause ?? GROWING);
  }

  function schedule(pause: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (!live.paused) void refresh();
    }, pause);
  }

  /** Request events from now on. */
  function follow(): void {
    if (following) return;
    following = true;
    watch(
      () => trainIds.value.join('\0'),
      () => {
        etag = null;
        void refresh();
      },
      { immediate: true },
    );
    watch(
      () => [live.dataVersion, live.paused],
      () => {
        if (!live.paused) schedule(GROWING);
      },
    );
  }

  return { all, of, isOddWithin, unmarked, follow };
});

/** The list from before, if it is equal. */
function same(before: readonly Anomaly[] | undefined, now: readonly Anomaly[]): readonly Anomaly[] {
  return before?.length === now.length && JSON.stringify(before) === JSON.stringify(now)
    ? before
    : now;
}
