import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, shallowReactive, shallowRef, watch } from 'vue';

import { ApiError } from '@/api/client';
import { fetchLineageColumns } from '@/api/lineage';

import { FactTable } from './fact_table';
import { useLive } from './live';

/** How often the facts of all jobs are asked for while their logs grow, in milliseconds. */
const EVERY = 3_000;

/** How jobs were trained and what came of it; read only while somebody looks at it. */
export const useJobFacts = defineStore('job_facts', () => {
  const live = useLive();
  /** Facts by the names of `docs/lineage.md`: `optimizer`, `metric/acc`, `scalar/loss/last`. */
  const table = shallowRef(new FactTable({ train_id: [], columns: {} }));
  const known = ref(false);
  const problem = ref<string | null>(null);
  /** Who looks, and at which columns of scalars. */
  const users = shallowReactive(new Map<symbol, readonly string[]>());
  const columns = computed(() => [...new Set([...users.values()].flat())].sort());

  let askedVersion = -1;
  let askedColumns = '';
  let askedAt = -Infinity;
  let busy = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function refresh(): void {
    clearTimeout(timer);
    if (users.size > 0) void ask();
  }

  async function ask(): Promise<void> {
    const wanted = JSON.stringify(columns.value);
    if (busy || (askedVersion === live.dataVersion && askedColumns === wanted)) return;
    const wait = askedColumns === wanted ? askedAt + EVERY - performance.now() : 0;
    if (wait > 0) {
      timer = setTimeout(refresh, wait);
      return;
    }
    busy = true;
    [askedVersion, askedColumns] = [live.dataVersion, wanted];
    try {
      const answer = await fetchLineageColumns(columns.value);
      table.value = new FactTable(answer);
      askedVersion = answer.data_version;
      known.value = true;
      problem.value = null;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      // The next change of the data, or of the columns, asks again.
      problem.value = reason.message;
    } finally {
      busy = false;
      askedAt = performance.now();
    }
    refresh();
  }

  /** Ask for what a page will look at that is still on its way. */
  async function begin(): Promise<void> {
    if (!known.value) await ask();
  }

  watch([columns, () => users.size, () => live.dataVersion], refresh, { flush: 'post' });

  /** Ask once more after a failure. */
  function retry(): void {
    problem.value = null;
    askedVersion = -1;
    askedAt = -Infinity;
    refresh();
  }

  /** Names of all facts that any job has, in natural order. */
  const names = computed(() => table.value.names);

  /** Look at the facts for as long as the calling scope lives, these columns of scalars included. */
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
