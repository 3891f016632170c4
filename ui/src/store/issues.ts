import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';

import { ApiError } from '@/api/client';
import { fetchIssueCounts, type IssueCounts } from '@/api/findings';
import { ownValue } from '@/base/own_value';

import { useLive } from './live';
import { useStatus } from './status';

/** Milliseconds between requests, while the server checks runs and while they grow. */
const CHECKING = 1_000;
const GROWING = 5_000;
const NONE: readonly string[] = [];

/** Errors and warnings of all runs; notes are no issues. */
export const useIssues = defineStore('issues', () => {
  const live = useLive();
  const status = useStatus();
  const counts = shallowRef<IssueCounts | null>(null);
  const count = computed(() => issuesIn(counts.value));
  const diverged = shallowRef<IssueCounts['diverged']>({});
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (live.paused) return;
    let pause = GROWING;
    try {
      const now = await fetchIssueCounts();
      counts.value = now;
      // Equal answers keep their identity, so that rows don't update.
      if (JSON.stringify(now.diverged) !== JSON.stringify(diverged.value))
        diverged.value = now.diverged;
      if (now.looked_into < now.train_jobs) pause = CHECKING;
      else if (now.outdated === 0) return;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
    }
    schedule(pause);
  }

  function schedule(pause: number): void {
    timer ??= setTimeout(() => void refresh(), pause);
  }

  /** Once the logs are loaded: checking takes time that loading needs. */
  function start(): void {
    watch(
      () => [status.status?.load_status, live.paused, live.dataVersion] as const,
      ([loaded, paused]) => {
        if (loaded === 'loaded' && !paused) schedule(counts.value === null ? CHECKING : GROWING);
      },
      { immediate: true },
    );
  }

  /** Names of not-a-number values that a run logged; empty: none known. */
  const divergenceOf = (trainId: string): readonly string[] =>
    ownValue(diverged.value, trainId) ?? NONE;

  return { count, counts, divergenceOf, start, refresh };
});

function issuesIn(counts: IssueCounts | null): number {
  return counts === null ? 0 : counts.severities.severe + counts.severities.warning;
}
