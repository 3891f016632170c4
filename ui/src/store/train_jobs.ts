import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import { ApiError } from '@/api/client';
import type { Status } from '@/api/status';
import {
  fetchAllTrainJobs,
  fetchTrainJobs,
  type AllTrainJobs,
  type TrainJob,
} from '@/api/train_jobs';
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
  /** The whole listing, asked for while nobody knew yet how the server is. */
  let begun: Promise<AllTrainJobs> | null = null;

  /** The job updated last comes first. */
  const lastUpdatedFirst = computed<readonly TrainJob[]>(() =>
    [...byId.value.values()].sort(
      (a, b) => b.update_timestamp - a.update_timestamp || naturalOrder(a.train_id, b.train_id),
    ),
  );

  /** The job created last comes first; unlike by update, the order is stable while jobs run. */
  const newestCreatedFirst = computed<readonly TrainJob[]>(() =>
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

  /** Read all jobs, and meanwhile the newest, which are looked at first; `refresh` says what goes wrong. */
  async function begin(): Promise<void> {
    if (begun) return;
    begun = fetchAllTrainJobs();
    try {
      await Promise.all([begun.then(takeAll), takeNewest()]);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      begun = null;
    }
  }

  async function takeNewest(): Promise<void> {
    const newest = await readNewest(fetchTrainJobs);
    if (!complete) take(newest.jobs, newest.total);
  }

  function takeAll({ train_jobs }: AllTrainJobs): void {
    complete = true;
    take(listingOf(train_jobs, byId.value), train_jobs.length);
  }

  function take(jobs: Listing, count: number): void {
    byId.value = jobs;
    told.value = count;
    known.value = true;
  }

  /** Read what is new to the server's status; `settled` says that only jobs whose logs grew can have changed. */
  async function refresh(status: Status, settled: boolean): Promise<void> {
    try {
      if (!(await isBegunWith(status))) {
        const updated =
          settled && complete ? await updateListing(fetchTrainJobs, byId.value) : null;
        if (updated) take(updated, updated.size);
        else takeAll(await fetchAllTrainJobs());
      }
      problem.value = null;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      problem.value = reason.message;
    }
  }

  /** Whether what was asked for before there was a status is what it speaks of. */
  async function isBegunWith({ load_status, data_version }: Status): Promise<boolean> {
    const asked = begun;
    begun = null;
    const listing = await asked;
    return listing?.load_status === load_status && listing.data_version === data_version;
  }

  return {
    byId,
    total,
    known,
    problem,
    lastUpdatedFirst,
    newestCreatedFirst,
    byName,
    pluginCounts,
    begin,
    refresh,
  };
});
