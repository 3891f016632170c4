import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';

import { ApiError } from '@/api/client';
import { fetchRuleMarks, type RuleMarks } from '@/api/findings';

import { useLive } from './live';
import { useSelection } from './selection';

/** Milliseconds between requests, while the server checks runs and while they grow. */
const CHECKING = 1_000;
const GROWING = 5_000;
/** Runs whose events are marked in charts: more marks would hide the lines. */
const MOST_RUNS = 50;

export interface Anomaly {
  readonly rule: string;
  readonly kind: string;
  readonly step: number;
  readonly window: readonly [number, number];
}

const NONE: readonly Anomaly[] = [];

/** What the rules found in the series of drawn runs, once a page has called `follow`. */
export const useAnomalies = defineStore('anomalies', () => {
  const live = useLive();
  const selection = useSelection();
  const marks = shallowRef<Readonly<Record<string, readonly RuleMarks[]>>>({});
  let known = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let following = false;
  let latest = 0;

  const trainIds = computed(() =>
    selection.drawn.length > MOST_RUNS ? [] : [...selection.drawn].sort(),
  );

  /** By run and tag; lists of equal content keep their identity. */
  const bySeries = computed<ReadonlyMap<string, readonly Anomaly[]>>(() => {
    const found = new Map<string, Anomaly[]>();
    for (const [trainId, rules] of Object.entries(marks.value))
      for (const { kind, rule, tag, places } of rules) {
        const name = `${trainId}\0${tag}`;
        const list = found.get(name) ?? [];
        for (const [step, ...window] of places) list.push({ rule, kind, step, window });
        found.set(name, list);
      }
    return found;
  });

  const all = computed(() => [...bySeries.value.values()].flat());

  const of = (trainId: string, tag: string): readonly Anomaly[] =>
    bySeries.value.get(`${trainId}\0${tag}`) ?? NONE;

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const turn = ++latest;
    const asked = trainIds.value;
    if (asked.length === 0) {
      marks.value = {};
      known = '';
      return;
    }
    let pause = GROWING;
    try {
      const answer = await fetchRuleMarks(asked);
      // Other runs have been requested meanwhile.
      if (turn !== latest) return;
      const now = JSON.stringify(answer.marks);
      if (now !== known) marks.value = answer.marks;
      known = now;
      if (answer.looked_into < answer.train_jobs) pause = CHECKING;
      else if (answer.outdated === 0) return;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      if (turn !== latest) return;
    }
    schedule(pause);
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
      () => void refresh(),
      { immediate: true },
    );
    watch(
      () => [live.dataVersion, live.paused],
      () => {
        if (!live.paused) schedule(GROWING);
      },
    );
  }

  return { all, of, follow };
});
