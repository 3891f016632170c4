import { computed, onScopeDispose, ref, shallowReactive, watch, type ComputedRef, type Ref } from 'vue';

import { ApiError } from '@/api/client';
import { fetchSigns, type Sign } from '@/api/findings';
import { useSelection } from '@/store/selection';
import { useTrainJobs } from '@/store/train_jobs';

/** Runs that are looked into without being asked for more, and how many times as many whenever somebody asks: ten thousand are two clicks. */
const FIRST = 100;
const MORE = 10;
/** Questions at once: the server reads every point of a run for each. */
const AT_ONCE = 2;
/** How often a run that grows is looked into again, in milliseconds. */
const EVERY = 3_000;

export interface JobSign extends Sign {
  readonly trainId: string;
}

/** What is odd in the scalars of the chosen jobs, as the server finds it over all of their points. */
export function useSigns(): {
  signs: ComputedRef<readonly JobSign[]>;
  /** How many of each kind, those included that are not listed. */
  counts: ComputedRef<ReadonlyMap<string, number>>;
  /** Jobs that nobody has looked into yet, of those that are going to be. */
  waiting: ComputedRef<number>;
  /** Jobs beyond the first ones. */
  left: ComputedRef<number>;
  problem: Ref<string | null>;
  more: () => void;
  retry: () => void;
} {
  const selection = useSelection();
  const jobs = useTrainJobs();
  const known = shallowReactive(new Map<string, { version: number; signs: readonly Sign[]; counts: Readonly<Record<string, number>> }>());
  const most = ref(FIRST);
  const problem = ref<string | null>(null);
  let ended = false;
  let busy = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const wanted = computed(() => selection.chosen.slice(0, most.value));
  const versionOf = (id: string): number => jobs.byId.get(id)?.version ?? -1;
  const versions = computed(() => wanted.value.map((id) => `${id} ${versionOf(id)}`).join('\n'));

  async function look(): Promise<void> {
    if (busy) return;
    busy = true;
    const stale = wanted.value.filter((id) => known.get(id)?.version !== versionOf(id));
    // What has never been looked into comes first.
    const queue = [...stale.filter((id) => !known.has(id)), ...stale.filter((id) => known.has(id))];
    const work = async (): Promise<void> => {
      for (let id = queue.shift(); id !== undefined && !ended && problem.value === null; id = queue.shift()) {
        const version = versionOf(id);
        try {
          const { signs, counts } = await fetchSigns(id);
          known.set(id, { version, signs, counts });
        } catch (reason) {
          if (!(reason instanceof ApiError)) throw reason;
          // A job that was deleted has nothing odd.
          if (reason.status === 404) known.set(id, { version, signs: [], counts: {} });
          else problem.value = reason.message;
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    busy = false;
    if (!ended && problem.value === null && wanted.value.some((id) => known.get(id)?.version !== versionOf(id))) later();
  }

  function later(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), wanted.value.some((id) => !known.has(id)) ? 0 : EVERY);
  }

  function retry(): void {
    problem.value = null;
    void look();
  }

  watch(versions, later, { immediate: true });
  onScopeDispose(() => {
    ended = true;
    clearTimeout(timer);
  });

  return {
    signs: computed(() => wanted.value.flatMap((trainId) => (known.get(trainId)?.signs ?? []).map((sign) => ({ ...sign, trainId })))),
    counts: computed(() => {
      const sums = new Map<string, number>();
      for (const id of wanted.value) {
        for (const [kind, n] of Object.entries(known.get(id)?.counts ?? {})) sums.set(kind, (sums.get(kind) ?? 0) + n);
      }
      return sums;
    }),
    waiting: computed(() => wanted.value.filter((id) => !known.has(id)).length),
    left: computed(() => selection.chosen.length - wanted.value.length),
    problem,
    more: () => { most.value *= MORE; },
    retry,
  };
}
