import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, shallowReactive, shallowRef, watch } from 'vue';

import { ApiError, apiMessage } from '@/api/client';
import type { Status } from '@/api/status';
import {
  FIRST_RUNS,
  fetchRunRows,
  fetchTrainJobs,
  type RunOverview,
  type RunRows,
  type TrainJob,
} from '@/api/train_jobs';
import { naturalOrder } from '@/base/natural_order';

import { keptRows, kindsOf, listingOf, updateListing, type Listing } from './job_listing';

/** The part of a large folder's runs that the page shows. */
export interface RunWindow {
  /** Of the first pages of runs that match the filter, in the order of the table. */
  readonly ids: readonly string[];
  /** On all pages. */
  readonly matching: number;
}

const EMPTY: RunWindow = { ids: [], matching: 0 };

export const useTrainJobs = defineStore('train_jobs', () => {
  /** All runs, or those of the window. */
  const byId = shallowRef<Listing>(new Map());
  /** Null: all runs are listed; `run_window` fills it. */
  const window = shallowRef<RunWindow | null>(null);
  const overview = shallowRef<RunOverview | null>(null);
  /** With more runs, the page has a window. */
  const mostListed = ref(Infinity);
  const known = ref(false);
  const problem = ref<string | null>(null);
  const reportedTotal = ref(0);
  const total = computed(() =>
    window.value ? reportedTotal.value : Math.max(reportedTotal.value, byId.value.size),
  );
  /** Whether all runs have been listed, not just the newest. */
  const complete = ref(false);
  /** The requests for all jobs, sent before the status is known. */
  let firstListing: Promise<RunRows> | null = null;

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

  /** What data the runs of the folder have. */
  const kinds = computed(() => kindsOf(byId.value, window.value ? overview.value : null));

  const users = shallowReactive(new Map<symbol, readonly string[]>());
  /** Runs that are listed even if they are on no page of the window. */
  const used = computed(() => [...new Set([...users.values()].flat())]);

  /** List these runs until the calling scope ends. */
  function use(trainIds: () => readonly string[]): void {
    const user = Symbol('user');
    watch(trainIds, (ids) => users.set(user, ids), { immediate: true });
    onScopeDispose(() => users.delete(user));
  }

  /** Load the jobs. `refresh` reports errors. */
  async function begin(): Promise<void> {
    if (firstListing) return;
    firstListing = readFirst();
    try {
      await firstListing;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      firstListing = null;
    }
  }

  async function readFirst(): Promise<RunRows> {
    const first = await fetchRunRows(FIRST_RUNS);
    mostListed.value = first.most_listed;
    if (first.train_jobs.length >= first.total) return takeAll(first);
    take(listingOf(first.train_jobs, byId.value), first.total);
    if (first.total <= first.most_listed) return takeAll(await fetchRunRows());
    limitTo(first.total);
    return first;
  }

  function takeAll(rows: RunRows): RunRows {
    window.value = null;
    mostListed.value = rows.most_listed;
    complete.value = true;
    take(listingOf(rows.train_jobs, byId.value), rows.train_jobs.length);
    return rows;
  }

  /** From now on, rows are listed by `keep`. */
  function limitTo(count: number): void {
    window.value ??= EMPTY;
    complete.value = true;
    reportedTotal.value = count;
  }

  /** Runs that the server does not have. */
  const missing = shallowRef<ReadonlySet<string>>(new Set());
  /** Whether the row of a run is still to come. */
  const isAwaited = (trainId: string): boolean =>
    window.value !== null && !byId.value.has(trainId) && !missing.value.has(trainId);

  /** Of these runs, list the rows that are known. */
  function keep(trainIds: Iterable<string>, rows: readonly TrainJob[]): void {
    byId.value = keptRows(trainIds, rows, byId.value);
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
        if (status.train_jobs > mostListed.value) limitTo(status.train_jobs);
        else await refreshAll(settled);
      }
      problem.value = null;
    } catch (reason) {
      problem.value = apiMessage(reason);
    }
  }

  async function refreshAll(settled: boolean): Promise<void> {
    const updated =
      settled && complete.value && window.value === null
        ? await updateListing(fetchTrainJobs, byId.value)
        : null;
    if (updated) take(updated, updated.size);
    else if (known.value) takeAll(await fetchRunRows());
    else await readFirst();
  }

  async function isBegunWith({ load_status, data_version }: Status): Promise<boolean> {
    const request = firstListing;
    firstListing = null;
    const listing = await request;
    return listing?.load_status === load_status && listing.data_version === data_version;
  }

  return {
    byId,
    window,
    overview,
    mostListed,
    total,
    complete,
    known,
    problem,
    lastUpdatedFirst,
    newestCreatedFirst,
    byName,
    kinds,
    used,
    use,
    missing,
    isAwaited,
    keep,
    begin,
    refresh,
  };
});
