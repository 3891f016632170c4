import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import { ApiError, apiMessage } from '@/api/client';
import type { Status } from '@/api/status';
import {
  fetchAllTrainJobs,
  fetchTrainJobs,
  type AllTrainJobs,
  type TrainJob,
} from '@/api/train_jobs';
import { naturalOrder } from '@/base/natural_order';

import { listingOf, readNewest, updateListing, type Listing } from './job_listing';

export const useTrainJobs = defineStore('train_jobs', () => {
  const byId = shallowRef<Listing>(new Map());
  const known = ref(false);
  const problem = ref<string | null>(null);
  const reportedTotal = ref(0);
  const total = computed(() => Math.max(reportedTotal.value, byId.value.size));
  /** Whether all runs have been listed, not just the newest. */
  const complete = ref(false);
  /** The request for all jobs, sent before the status is known. */
  let firstListing: Promise<AllTrainJobs> | null = null;

  /** Largest first, then by name. */
  const sortedBy = (value: (job: TrainJob) => number) =>
    computed<readonly TrainJob[]>(() =>
      [...byId.value.values()].sort(
        (a, b) => value(b) - value(a) || naturalOrder(a.train_id, b.train_id),
      ),
    );
  const lastUpdatedFirst = sortedBy((job) => job.update_timestamp);
  /** Unlike the order by update, it is stable while jobs run. */
  const newestCreatedFirst = sortedBy((job) => job.create_timestamp);
  const byName = sortedBy(() => 0);

  /** plugin_name -> number of jobs with its data. */
  const pluginCounts = computed<ReadonlyMap<string, number>>(() => {
    const counts = new Map<string, number>();
    for (const job of byId.value.values()) {
      for (const name in job.plugins) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  });

  /** Load all jobs and, to show them sooner, the newest. `refresh` reports errors. */
  async function begin(): Promise<void> {
    if (firstListing) return;
    firstListing = fetchAllTrainJobs();
    try {
      await Promise.all([firstListing.then(takeAll), takeNewest()]);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      firstListing = null;
    }
  }

  async function takeNewest(): Promise<void> {
    const newest = await readNewest(fetchTrainJobs);
    if (!complete.value) take(newest.jobs, newest.total);
  }

  function takeAll({ train_jobs }: AllTrainJobs): void {
    complete.value = true;
    take(listingOf(train_jobs, byId.value), train_jobs.length);
  }

  function take(jobs: Listing, count: number): void {
    byId.value = jobs;
    reportedTotal.value = count;
    known.value = true;
  }

  /** Load changes. `settled`: only jobs whose logs grew can have changed. */
  async function refresh(status: Status, settled: boolean): Promise<void> {
    try {
      if (!(await isBegunWith(status))) {
        const updated =
          settled && complete.value ? await updateListing(fetchTrainJobs, byId.value) : null;
        if (updated) take(updated, updated.size);
        else takeAll(await fetchAllTrainJobs());
      }
      problem.value = null;
    } catch (reason) {
      problem.value = apiMessage(reason);
    }
  }

  async function isBegunWith({ load_status, data_version }: Status): Promise<boolean> {
    const request = firstListing;
    firstListing = null;
    const listing = await request;
    return listing?.load_status === load_status && listing.data_version === data_version;
  }

  return {
    byId,
    total,
    complete,
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
