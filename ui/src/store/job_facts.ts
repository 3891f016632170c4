import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, shallowReactive, shallowRef, watch } from 'vue';

import { apiMessage } from '@/api/client';
import { fetchLineageColumns } from '@/api/lineage';

import { FactTable } from './fact_table';
import { useLive } from './live';

const EVERY = 3_000;

/** Hyperparameters and results of all jobs; loaded only while a page uses them. */
export const useJobFacts = defineStore('job_facts', () => {
  const live = useLive();
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
  let timer: ReturnType<typeof setTimeout> | undefined;

  function refresh(): void {
    clearTimeout(timer);
    if (users.size > 0) void ask();
  }

  async function ask(): Promise<void> {
    const wanted = JSON.stringify(columns.value);
    if (busy || (requestedVersion === live.dataVersion && requestedColumns === wanted)) return;
    const wait = requestedColumns === wanted ? requestedAt + EVERY - performance.now() : 0;
    if (wait > 0) {
      timer = setTimeout(refresh, wait);
      return;
    }
    busy = true;
    [requestedVersion, requestedColumns] = [live.dataVersion, wanted];
    try {
      const answer = await fetchLineageColumns(columns.value);
      table.value = new FactTable(answer);
      requestedVersion = answer.data_version;
      known.value = true;
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

  async function begin(): Promise<void> {
    if (!known.value) await ask();
  }

  watch([columns, () => users.size, () => live.dataVersion], refresh, { flush: 'post' });

  function retry(): void {
    problem.value = null;
    requestedVersion = -1;
    requestedAt = -Infinity;
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
