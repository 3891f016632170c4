import { computed, ref, shallowReactive, shallowRef, watch } from 'vue';

import { apiMessage } from '@/api/client';
import {
  fetchRunGroups,
  fetchRunIds,
  type GroupColumn,
  type RunGroup,
  type RunsQuestion,
} from '@/api/train_jobs';
import { addTo } from '@/base/grouped';
import { loggedValue } from '@/store/fact_table';
import { useJobFields } from '@/store/job_fields';
import { useRunOrder } from '@/store/run_order';
import { useRunWindow } from '@/store/run_window';
import { MOST_SELECTED, useSelection } from '@/store/selection';
import { useTrainJobs } from '@/store/train_jobs';

import { groupKey, type Summary } from './grouping';
import type { GroupTableRow, TableRow } from './table_rows';

const PAGE = 200;
/** Of an answer. */
const MOST_GROUPS = 1_000;
/** Rows of an open group. */
const MOST_MEMBERS = 500;

const keyOf = ({ key }: RunGroup): string => key ?? '';

/** The groups of a folder whose runs are not all listed, with statistics by the server. */
export function useGroupPages(
  columns: () => readonly string[],
  isOpen: (group: string) => boolean,
) {
  const fields = useJobFields();
  const jobs = useTrainJobs();
  const order = useRunOrder();
  const selection = useSelection();
  const window = useRunWindow();

  const groups = shallowRef<readonly RunGroup[]>([]);
  const total = ref(0);
  const waiting = ref(false);
  const problem = ref<string | null>(null);
  let latest = 0;

  /** The first runs of open groups. */
  const members = shallowReactive(new Map<string, readonly string[]>());
  /** Runs of groups that were selected as a whole. */
  const idsOfGroups = shallowReactive(new Map<string, readonly string[]>());
  jobs.use(() => [...members.values()].flat());

  const question = computed<RunsQuestion | null>(() =>
    window.question !== null && order.isGrouped ? { ...window.question, by: order.by } : null,
  );
  /** Notes and data change what groups hold. */
  const version = computed(() => [question.value, columns()]);

  /** Fetch the groups from `first` to `end` and list them after the ones before. */
  async function show(first: number, end: number): Promise<void> {
    const turn = first === 0 ? ++latest : latest;
    const asked = question.value;
    if (asked === null) {
      groups.value = [];
      total.value = 0;
      waiting.value = false;
      return;
    }
    const listed = groups.value.slice(0, first);
    let isWhole = false;
    try {
      while (!isWhole) {
        const offset = listed.length;
        const limit = Math.min(MOST_GROUPS, end - offset);
        const answer = await fetchRunGroups({ ...asked, offset, limit }, columns());
        if (turn !== latest) return;
        listed.push(...answer.groups);
        total.value = answer.group_count;
        isWhole = answer.groups.length === 0 || listed.length >= Math.min(end, total.value);
      }
      groups.value = listed;
      problem.value = null;
    } catch (reason) {
      const message = apiMessage(reason);
      if (turn === latest) problem.value = message;
    }
    if (turn === latest) waiting.value = false;
  }

  function more(): void {
    if (waiting.value || groups.value.length >= total.value) return;
    waiting.value = true;
    void show(groups.value.length, groups.value.length + PAGE);
  }

  /** List all groups. */
  async function all(): Promise<void> {
    while (problem.value === null && groups.value.length < total.value)
      await show(groups.value.length, total.value);
  }

  watch(
    () => JSON.stringify(version.value),
    () => {
      members.clear();
      idsOfGroups.clear();
      waiting.value = question.value !== null;
      void show(0, PAGE);
    },
    { immediate: true },
  );
  // The rows change with the data; a page that is still to come is among those listed again.
  watch(
    () => window.version,
    () => {
      void show(0, Math.max(PAGE, groups.value.length + (waiting.value ? PAGE : 0)));
      for (const key of members.keys()) void open(key);
    },
  );

  async function idsOf(key: string, limit: number): Promise<readonly string[]> {
    if (question.value === null) return [];
    try {
      return (await fetchRunIds({ ...question.value, group: key, limit })).train_ids;
    } catch (reason) {
      problem.value = apiMessage(reason);
      return [];
    }
  }

  async function open(key: string): Promise<void> {
    const asked = question.value;
    const ids = await idsOf(key, MOST_MEMBERS);
    if (asked === question.value && isOpen(key)) members.set(key, ids);
  }

  watch(
    () => groups.value.map(keyOf).filter(isOpen),
    (keys) => {
      for (const key of members.keys()) if (!keys.includes(key)) members.delete(key);
      for (const key of keys) if (!members.has(key)) void open(key);
    },
    { immediate: true },
  );

  /** All runs of a group, as far as they can be selected. */
  async function runsOf(key: string): Promise<readonly string[]> {
    const ids = await idsOf(key, MOST_SELECTED);
    idsOfGroups.set(key, ids);
    return ids;
  }

  const selectedByGroup = computed(() => {
    const getters = order.groupedBy.map(fields.getter);
    const found = new Map<string, string[]>();
    for (const id of selection.selected) {
      const job = jobs.byId.get(id);
      if (job) addTo(found, groupKey(job, getters) ?? '', id);
    }
    return found;
  });

  const rows = computed<readonly TableRow[]>(() =>
    groups.value.flatMap((group): TableRow[] => {
      const key = keyOf(group);
      const row = rowOf(group, idsOfGroups.get(key) ?? selectedByGroup.value.get(key));
      if (!row.isOpen) return [row];
      const ids = members.get(key) ?? [];
      const runs = ids.flatMap((id): TableRow[] => {
        const job = jobs.byId.get(id);
        return job ? [{ kind: 'run', id, job }] : [];
      });
      const isCut = ids.length > 0 && ids.length < group.count;
      return [
        row,
        ...runs,
        ...(isCut
          ? [{ kind: 'rest', id: `rest ${key}`, shown: ids.length, of: group.count } as const]
          : []),
      ];
    }),
  );

  function rowOf(group: RunGroup, trainIds: readonly string[] = []): GroupTableRow {
    const key = keyOf(group);
    return {
      kind: 'group',
      id: `group ${key}`,
      key,
      isOpen: isOpen(key),
      count: group.count,
      trainIds,
      summaryOf: (column) => summaryOf(group.columns[column]),
    };
  }

  return { rows, waiting, problem, more, all, runsOf };
}

function summaryOf(column: GroupColumn | undefined): Summary | undefined {
  const value = loggedValue(column?.value);
  if (value !== null && value !== undefined && value !== '') return { kind: 'same', value };
  if (typeof column?.mean !== 'number') return undefined;
  return { kind: 'mean', mean: column.mean, deviation: column.std ?? 0, count: column.n ?? 0 };
}
