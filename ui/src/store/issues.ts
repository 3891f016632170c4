import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';

import { ApiError } from '@/api/client';
import {
  fetchIssueCounts,
  type IssueCounts,
  type RunEvents,
  type SeverityCounts,
} from '@/api/findings';
import type { TrainJob } from '@/api/train_jobs';
import { ownValue } from '@/base/own_value';

import { useLive } from './live';
import { useStatus } from './status';
import { useTrainJobs } from './train_jobs';

/** Milliseconds between requests: at first, while the server checks runs, and later. */
const CHECKING = 1_000;
const GROWING = 5_000;
const NONE: readonly string[] = [];

/** Errors and warnings of all runs; notes are no issues. */
export const useIssues = defineStore('issues', () => {
  const live = useLive();
  const status = useStatus();
  const jobs = useTrainJobs();
  const counts = shallowRef<IssueCounts | null>(null);
  const count = computed(() => issuesIn(counts.value));
  const diverged = shallowRef<IssueCounts['diverged']>({});
  const runs = shallowRef<RunEvents>({});
  let timer: ReturnType<typeof setTimeout> | undefined;
  let checking = CHECKING;

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (live.paused) return;
    let pause = GROWING;
    try {
      const now = await fetchIssueCounts(jobs.window === null);
      counts.value = now;
      // Equal answers keep their identity, so that rows don't update.
      if (JSON.stringify(now.diverged) !== JSON.stringify(diverged.value))
        diverged.value = now.diverged;
      // Rows of a window have their own numbers.
      const ofRuns = now.runs ?? {};
      if (JSON.stringify(ofRuns) !== JSON.stringify(runs.value)) runs.value = ofRuns;
      if (now.looked_into < now.train_jobs) pause = checking = Math.min(1.5 * checking, GROWING);
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

  /** Kinds of divergence of a run, NaN first; empty: none known. */
  const divergenceOf = (trainId: string): readonly string[] =>
    ownValue(diverged.value, trainId) ?? NONE;

  /** Events in the series of a run, as far as checked. */
  const eventsOf = ({ train_id: id, events }: TrainJob): SeverityCounts | null =>
    ownValue(runs.value, id) ?? events ?? null;

  return { count, counts, divergenceOf, eventsOf, start, refresh };
});

function issuesIn(counts: IssueCounts | null): number {
  return counts === null ? 0 : counts.severities.severe + counts.severities.warning;
}
