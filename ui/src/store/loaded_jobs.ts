import { defineStore } from 'pinia';
import { watch } from 'vue';

import { loadTrainJobs } from '@/api/train_jobs';

import { useSelection } from './selection';
import { useTrainJobs } from './train_jobs';

export const useLoadedJobs = defineStore('loaded_jobs', () => {
  const jobs = useTrainJobs();
  const selection = useSelection();
  const requested = new Set<string>();

  /** Loads those of these runs that are not in the server's cache. */
  function load(trainIds: readonly string[]): void {
    const absent = trainIds.filter(
      (id) => jobs.byId.get(id)?.cache_status === 'NOT_IN_CACHE' && !requested.has(id),
    );
    if (absent.length === 0) return;
    absent.forEach((id) => requested.add(id));
    loadTrainJobs(absent).catch(() => absent.forEach((id) => requested.delete(id)));
  }

  function start(): void {
    watch([() => selection.present, () => jobs.byId], ([present]) => load(present), {
      immediate: true,
    });
  }

  return { start, load };
});
