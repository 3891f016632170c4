import { computed, onScopeDispose, ref, watch, type ComputedRef } from 'vue';

import { fetchHealth, type HealthAnswer } from './api';
import { useAnswer, type Answer } from '@/store/answer';
import { useLive } from '@/store/live';
import { useTrainJobs } from '@/store/train_jobs';

import { ALL, requestedJobs } from './requested_jobs';

export const PER_PAGE = 100;
/** Milliseconds between requests: while the server inspects, and while runs grow. */
const LOOKING = 500;
const GROWING = 3_000;

/** The health of these runs, null for all, polled until the server has checked all of their series. */
export function useHealth(
  page: () => { readonly kind: string; readonly severity: string; readonly page: number },
  trainIds: () => readonly string[] | null,
): { health: Answer<HealthAnswer>; looking: ComputedRef<boolean> } {
  const jobs = useTrainJobs();
  const live = useLive();
  const turn = ref(0);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const requested = computed(() => {
    const ids = trainIds();
    return ids === null
      ? ALL
      : requestedJobs(ids, jobs.window === null ? [...jobs.byId.keys()] : null);
  });
  const health = useAnswer(
    () => {
      if (trainIds()?.length === 0) return null;
      const { kind, severity, page: number } = page();
      const list = (word: string): readonly string[] => (word === '' ? [] : [word]);
      return {
        ...requested.value,
        kind: list(kind),
        severity: list(severity),
        offset: (number - 1) * PER_PAGE,
        limit: PER_PAGE,
      };
    },
    fetchHealth,
    () => [live.dataVersion, turn.value],
  );
  const looking = computed(() => {
    const answer = health.value.value;
    return answer === null || answer.looked_into < answer.train_jobs;
  });

  watch([health.value, () => live.paused], ([answer]) => {
    clearTimeout(timer);
    if (answer === null || (!looking.value && (answer.outdated === 0 || live.paused))) return;
    timer = setTimeout(() => turn.value++, looking.value ? LOOKING : GROWING);
  });
  onScopeDispose(() => clearTimeout(timer));
  return { health, looking };
}
