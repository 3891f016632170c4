import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, shallowReactive, shallowRef, watch } from 'vue';

import { ApiError } from '@/api/client';
import { searchLineages, type LineageRow } from '@/api/lineage';
import type { Value } from '@/base/job_query';
import { naturalOrder } from '@/base/natural_order';

import { useLive } from './live';

/** How often the facts of all jobs are asked for while their logs grow, in milliseconds. */
const EVERY = 3_000;

/** Fields of `model_lineage` that every job may have. */
export const LINEAGE_FIELDS = [
  'network', 'optimizer', 'learning_rate', 'epoch', 'batch_size', 'loss_function', 'loss', 'device_num',
  'model_size', 'train_dataset_path', 'train_dataset_count', 'test_dataset_path', 'test_dataset_count', 'dataset_mark',
] as const;

/** Facts of a job by the names of `docs/lineage.md`: `optimizer`, `metric/acc`, `scalar/loss/last`. */
export type JobFacts = Readonly<Record<string, Value>>;

/** How jobs were trained and what came of it; read only while somebody looks at it. */
export const useJobFacts = defineStore('job_facts', () => {
  const live = useLive();
  const byId = shallowRef<ReadonlyMap<string, JobFacts>>(new Map());
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

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    const wanted = JSON.stringify(columns.value);
    if (users.size === 0 || busy || (askedVersion === live.dataVersion && askedColumns === wanted)) return;
    const wait = askedColumns === wanted ? askedAt + EVERY - performance.now() : 0;
    if (wait > 0) {
      timer = setTimeout(() => void refresh(), wait);
      return;
    }
    busy = true;
    const version = live.dataVersion;
    try {
      const answer = await searchLineages({ lineage_type: { in: ['model'] }, columns: columns.value });
      byId.value = new Map(answer.object.map((row) => [row.summary_dir, factsOf(row)]));
      known.value = true;
      problem.value = null;
      [askedVersion, askedColumns] = [version, wanted];
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      problem.value = reason.message;
      // The next change of the data, or of the columns, asks again.
      [askedVersion, askedColumns] = [version, wanted];
    } finally {
      busy = false;
      askedAt = performance.now();
    }
    void refresh();
  }

  watch([columns, () => users.size, () => live.dataVersion], () => void refresh(), { flush: 'post' });

  /** Ask once more after a failure. */
  function retry(): void {
    problem.value = null;
    askedVersion = -1;
    askedAt = -Infinity;
    void refresh();
  }

  /** Names of all facts that any job has, in natural order. */
  const names = computed(() => {
    const found = new Set<string>();
    for (const facts of byId.value.values()) {
      for (const name in facts) if (facts[name] !== null && facts[name] !== undefined) found.add(name);
    }
    return [...found].sort(naturalOrder);
  });

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

  return { byId, known, problem, names, use, retry };
});

function factsOf(row: LineageRow): JobFacts {
  const facts: Record<string, Value> = {};
  const model = row.model_lineage;
  for (const name of LINEAGE_FIELDS) facts[name] = valueOf(model?.[name]);
  for (const [name, value] of Object.entries(model?.metric ?? {})) facts[`metric/${name}`] = valueOf(value);
  for (const [name, value] of Object.entries(model?.user_defined ?? {})) facts[`user_defined/${name}`] = valueOf(value);
  for (const [name, value] of Object.entries(row.columns ?? {})) facts[name] = valueOf(value);
  facts['session_status'] = row.session_status;
  return facts;
}

/** Numbers that JSON cannot say are numbers again; what has parts is its text. */
function valueOf(value: unknown): Value {
  switch (value) {
    case 'NaN':
      return NaN;
    case 'Infinity':
      return Infinity;
    case '-Infinity':
      return -Infinity;
    case null:
    case undefined:
      return null;
  }
  return typeof value === 'object' ? JSON.stringify(value) : (value as Value);
}
