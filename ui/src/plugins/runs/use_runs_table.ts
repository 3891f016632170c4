import { computed, ref, watch, type ComputedRef } from 'vue';

import type { TrainJob } from '@/api/train_jobs';
import type { Value } from '@/base/job_query';
import { useAnnotations } from '@/store/annotations';
import { useJobFacts } from '@/store/job_facts';
import { useJobFields } from '@/store/job_fields';
import { keep, kept } from '@/store/local_storage';
import { useSelection } from '@/store/selection';
import { useTrainJobs } from '@/store/train_jobs';

import { columnOf, isAveraged, usualColumns, type JobColumn } from './columns';
import { groupedRows, plainRows, type TableRow } from './grouping';
import { runsState } from './page_state';
import { readSorting, sortedBy, writeSorting, type SortKey } from './sorting';

const LEAST_WIDTH = 48;
const MOST_WIDTH = 800;
const WIDTHS = 'runs-widths';

/** The table of runs: its columns, and its rows as they are sorted and grouped. */
export function useRunsTable() {
  const state = runsState.follow(['sort', 'group', 'cols']);
  const jobs = useTrainJobs();
  const facts = useJobFacts();
  const fields = useJobFields();
  const notes = useAnnotations();
  const selection = useSelection();

  /** Facts that are numbers, and those in which jobs differ. */
  const kinds = computed(() => {
    const numeric = new Set<string>();
    const differs = new Set<string>();
    const first = new Map<string, Value>();
    for (const values of facts.byId.values()) {
      for (const name in values) {
        const value = values[name];
        if (value === null || value === undefined) continue;
        if (!first.has(name)) {
          first.set(name, value);
          if (typeof value === 'number') numeric.add(name);
        } else if (first.get(name) !== value) differs.add(name);
      }
    }
    return { numeric, differs };
  });

  const ids = computed(() =>
    state.cols.length > 0
      ? state.cols
      : usualColumns(facts.names, (name) => kinds.value.differs.has(name) || facts.byId.size === 1),
  );
  const sorting = computed(() => readSorting(state.sort));
  facts.use(() => fields.scalarColumns([...ids.value, ...sorting.value.map(({ id }) => id), state.group]));

  const widths = ref<Record<string, number>>(keptWidths());
  watch(widths, (value) => { keep(WIDTHS, JSON.stringify(value)); });

  const columns: ComputedRef<readonly (JobColumn & { readonly pinned: boolean; readonly left: number })[]> = computed(() => {
    let left = 0;
    return ids.value.map((id, i) => {
      const column = columnOf(id, kinds.value.numeric.has(id) || id.startsWith('scalar/'));
      // A mean needs room for its deviation.
      const width = widths.value[id] ?? Math.max(column.width, state.group !== '' && isAveraged(column) ? 152 : 0);
      const placed = { ...column, width, pinned: i < state.pin, left };
      left += width;
      return placed;
    });
  });

  const sorted = computed(() => {
    const keys = sorting.value.map(({ id, desc }) => ({ get: fields.getter(id), desc }));
    const list = sortedBy(selection.matching, keys);
    if (notes.byId.size === 0) return list;
    const isPinned = (job: TrainJob): boolean => notes.of(job.train_id).pinned === true;
    return [...list.filter(isPinned), ...list.filter((job) => !isPinned(job))];
  });

  const rows = computed<readonly TableRow[]>(() => {
    if (state.group === '') return plainRows(sorted.value);
    const averaged = new Map(columns.value.filter(isAveraged).map(({ id }) => [id, fields.getter(id)]));
    return groupedRows(sorted.value, fields.getter(state.group), averaged, new Set(state.closed));
  });

  /** Sort by this column, or, `more`, by it among equals; once more turns it round. */
  function sortBy(id: string, more: boolean): void {
    const known = sorting.value.find((key) => key.id === id);
    const numeric = columns.value.find((column) => column.id === id)?.numeric ?? false;
    const key: SortKey = { id, desc: known ? !known.desc : numeric };
    const keys = more
      ? known
        ? sorting.value.map((other) => (other.id === id ? key : other))
        : [...sorting.value, key]
      : [key];
    state.sort = writeSorting(keys);
  }

  /** Put a column before another one, or at the end. */
  function moveColumn(id: string, before: string | null): void {
    if (id === before) return;
    const others = ids.value.filter((other) => other !== id);
    const at = before === null ? others.length : others.indexOf(before);
    state.cols = [...others.slice(0, at), id, ...others.slice(at)];
  }

  function shiftColumn(id: string, by: number): void {
    const at = ids.value.indexOf(id) + by;
    if (at < 0 || at >= ids.value.length) return;
    const others = ids.value.filter((other) => other !== id);
    state.cols = [...others.slice(0, at), id, ...others.slice(at)];
  }

  function pinColumn(id: string): void {
    const at = ids.value.indexOf(id);
    const pinned = at < state.pin;
    const others = ids.value.filter((other) => other !== id);
    const place = pinned ? state.pin - 1 : state.pin;
    state.cols = [...others.slice(0, place), id, ...others.slice(place)];
    state.pin += pinned ? -1 : 1;
  }

  function toggleColumn(id: string): void {
    const at = ids.value.indexOf(id);
    if (at < 0) {
      state.cols = [...ids.value, id];
      return;
    }
    if (at < state.pin) state.pin--;
    state.cols = ids.value.filter((other) => other !== id);
  }

  function resizeColumn(id: string, width: number): void {
    widths.value = { ...widths.value, [id]: Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, width))) };
  }

  function toggleGroup(value: string): void {
    state.closed = state.closed.includes(value) ? state.closed.filter((one) => one !== value) : [...state.closed, value];
  }

  function groupBy(id: string): void {
    state.group = state.group === id ? '' : id;
  }

  function useUsual(): void {
    state.cols = [];
    state.pin = 1;
  }

  return {
    state, columns, rows, sorting, ids, count: computed(() => sorted.value.length), total: computed(() => jobs.byId.size),
    sortBy, moveColumn, shiftColumn, pinColumn, toggleColumn, resizeColumn, toggleGroup, groupBy, usualColumns: useUsual,
  };
}

export type RunsTable = ReturnType<typeof useRunsTable>;

function keptWidths(): Record<string, number> {
  try {
    const widths: unknown = JSON.parse(kept(WIDTHS) ?? '{}');
    if (typeof widths !== 'object' || widths === null) return {};
    return Object.fromEntries(Object.entries(widths).filter(([, width]) => typeof width === 'number' && width > 0));
  } catch {
    return {};
  }
}
