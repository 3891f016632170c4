import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import { ApiError } from '@/api/client';
import { fetchAllTrainJobs, fetchTrainJobs, type TrainJob } from '@/api/train_jobs';
import { naturalOrder } from '@/base/natural_order';

import { listingOf, readNewest, updateListing, type Listing } from './job_listing';

/** All train jobs of the base dir. */
export const useTrainJobs = defineStore('train_jobs', () => {
  const byId = shallowRef<Listing>(new Map());
  /** Whether the newest jobs are known; the others follow. */
  const known = ref(false);
  const problem = ref<string | null>(null);
  const told = ref(0);
  /** How many there are, also before all have been read. */
  const total = computed(() => Math.max(told.value, byId.value.size));
  /** Whether the whole listing has been read. */
  let complete = false;
  let beginning = false;

  /** The one updated last first. */
  const newestFirst = computed<readonly TrainJob[]>(() =>
    [...byId.value.values()].sort(
      (a, b) => b.update_timestamp - a.update_timestamp || naturalOrder(a.train_id, b.train_id),
    ),
  );

  /** The one begun last first: a job keeps its place while it runs. */
  const youngestFirst = computed<readonly TrainJob[]>(() =>
    [...byId.value.values()].sort(
      (a, b) => b.create_timestamp - a.create_timestamp || naturalOrder(a.train_id, b.train_id),
    ),
  );

  /** By name, numbers in names as numbers. */
  const byName = computed<readonly TrainJob[]>(() =>
    [...byId.value.values()].sort((a, b) => naturalOrder(a.train_id, b.train_id)),
  );

  /** plugin_name -> how many jobs have data of it. */
  const pluginCounts = computed<ReadonlyMap<string, number>>(() => {
    const counts = new Map<string, number>();
    for (const job of byId.value.values()) {
      for (const name in job.plugins) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  });

  /** Read the newest jobs, and say so; `refresh` says what goes wrong. */
  async function begin(): Promise<void> {
    if (beginning) return;
    beginning = true;
    try {
      const newest = await readNewest(fetchTrainJobs);
      if (complete) return;
      byId.value = newest.jobs;
      told.value = newest.total;
      known.value = true;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
    } finally {
      beginning = false;
    }
  }

  /** Read what is new; `settled` says that only jobs whose logs grew can have changed. */
  async function refresh(settled: boolean): Promise<void> {
    try {
      const updated = settled && complete ? await updateListing(fetchTrainJobs, byId.value) : null;
      byId.value = updated ?? listingOf(await fetchAllTrainJobs(), byId.value);
      known.value = true;
      complete = true;
      told.value = byId.value.size;
      problem.value = null;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      problem.value = reason.message;
    }
  }

  return { byId, total, known, problem, newestFirst, youngestFirst, byName, pluginCounts, begin, refresh };
});
