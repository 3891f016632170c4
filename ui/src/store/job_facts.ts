import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, shallowReactive, shallowRef, watch } from 'vue';

import { apiMessage } from '@/api/client';
import { fetchLineageColumns } from '@/api/lineage';
import { FIRST_RUNS, type TrainJob } from '@/api/train_jobs';

import { FactTable } from './fact_table';
import { useLive } from './live';
import { useTrainJobs } from './train_jobs';

const EVERY = 3_000;
/** Runs of one request. */
const PIECE = 1_000;

/** Hyperparameters and results of all jobs; loaded only while a page uses them. */
export const useJobFacts = defineStore('job_facts', () => {
  const live = useLive();
  const jobs = useTrainJobs();
  /** By the names of `docs/lineage.md`: `optimizer`, `metric/acc`, `scalar/loss/last`. */
  const table = shallowRef(new FactTable({ train_id: [], columns: {} }));
  const known = ref(false);
  const problem = ref<string | null>(null);
  const users = shallowReactive(new Map<symbol, readonly string[]>());
  const columns = computed(() => [...new Set([...users.values()].flat())].sort());

  let requestedVersion = -1;
  let requestedColumns = '';
  let requestedAt = -Infinity;
  let busy = false;
  /** Whether the facts are those of the first request, which lack runs. */
  let isPart = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function refresh(): void {
    clearTimeout(timer);
    if (users.size > 0) void ask();
  }

  async function ask(): Promise<void> {
    if (jobs.window !== null) return askListed();
    // Whether the server is to be asked for all runs depends on their number.
    if (isPart && !jobs.known) return;
    const wanted = JSON.stringify(columns.value);
    if (busy || (requestedVersion === live.dataVersion && requestedColumns === wanted)) return;
    const wait =
      requestedColumns === wanted && !isPart ? requestedAt + EVERY - performance.now() : 0;
    if (wait > 0) {
      timer = setTimeout(refresh, wait);
      return;
    }
    busy = true;
    [requestedVersion, requestedColumns] = [live.dataVersion, wanted];
    try {
      const isFirst = !jobs.known;
      const answer = await fetchLineageColumns(columns.value, isFirst ? FIRST_RUNS : {});
      table.value = new FactTable(answer);
      isPart = isFirst && answer.train_id.length < answer.total;
      requestedVersion = isPart ? -1 : answer.data_version;
      known.value ||= !isPart;
      problem.value = null;
    } catch (reason) {
      // The next change of data or columns fetches again.
      problem.value = apiMessage(reason);
    } finally {
      busy = false;
      requestedAt = performance.now();
    }
    refresh();
  }

  /** Versions of runs whose facts are known, with the requested columns. */
  let listedVersions = new Map<string, number>();

  /** Of the listed runs, the facts that are missing; those of changed runs after a while. */
  async function askListed(): Promise<void> {
    if (busy) return;
    const wanted = JSON.stringify(columns.value);
    if (wanted !== requestedColumns) listedVersions = new Map();
    [requestedVersion, requestedColumns] = [-1, wanted];
    const outdated = [...jobs.byId.values()].filter(
      (job) => listedVersions.get(job.train_id) !== job.version,
    );
    if (outdated.length === 0) return;
    const isNew = outdated.some((job) => !listedVersions.has(job.train_id));
    const wait = requestedAt + EVERY - performance.now();
    if (!isNew && wait > 0) {
      timer = setTimeout(refresh, wait);
      return;
    }
    busy = true;
    try {
      await readListed(outdated);
      known.value = true;
      problem.value = null;
    } catch (reason) {
      problem.value = apiMessage(reason);
      return;
    } finally {
      busy = false;
      requestedAt = performance.now();
    }
    refresh();
  }

  async function readListed(outdated: readonly TrainJob[]): Promise<void> {
    const asked = columns.value;
    for (let first = 0; first < outdated.length; first += PIECE) {
      const piece = outdated.slice(first, first + PIECE);
      const ids = piece.map((job) => job.train_id);
      const answer = await fetchLineageColumns(asked, { train_id: ids });
      for (const id of listedVersions.keys()) if (!jobs.byId.has(id)) listedVersions.delete(id);
      for (const job of piece) listedVersions.set(job.train_id, job.version);
      table.value = table.value.with([...jobs.byId.keys()], [answer], jobs.overview?.fields);
    }
  }

  async function begin(): Promise<void> {
    if (!known.value) await ask();
  }

  watch(
    [
      columns,
      () => users.size,
      () => jobs.known,
      () => (jobs.window === null ? live.dataVersion : jobs.byId),
    ],
    refresh,
    { flush: 'post' },
  );
  watch(
    () => jobs.overview,
    (overview) => {
      if (jobs.window !== null)
        table.value = table.value.with([...jobs.byId.keys()], [], overview?.fields);
    },
  );

  onScopeDispose(() => {
    clearTimeout(timer);
    users.clear();
  });

  function retry(): void {
    problem.value = null;
    requestedVersion = -1;
    requestedAt = -Infinity;
    requestedColumns = '';
    refresh();
  }

  const names = computed(() => table.value.names);

  /** Load facts, including these scalar columns, until the calling scope ends. */
  function use(scalarColumns: () => readonly string[] | null): void {
    const user = Symbol('user');
    watch(
      scalarColumns,
      (wanted) => {
        if (wanted === null) users.delete(user);
        else users.set(user, wanted);
      },
      { immediate: true },
    );
    onScopeDispose(() => users.delete(user));
  }

  return { table, known, problem, names, use, begin, retry };
});
