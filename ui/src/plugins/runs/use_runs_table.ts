import {
  functionalUpdate,
  useTable,
  type ColumnPinningState,
  type ColumnSizingState,
  type ExpandedState,
  type SortingState,
} from '@tanstack/vue-table';
import { computed, shallowRef, watch, type Ref } from 'vue';

import type { TrainJob } from '@/api/train_jobs';
import type { Value } from '@/base/job_query';
import { sparkTag } from '@/base/scalar_columns';
import { withoutSeverity, withSeverity, writeSorting } from '@/base/sorting';
import { useAnnotations } from '@/store/annotations';
import { useJobFacts } from '@/store/job_facts';
import { useJobFields } from '@/store/job_fields';
import { useRunNames } from '@/store/run_names';
import { useRunOrder } from '@/store/run_order';
import { useRunWindow } from '@/store/run_window';
import { useSelection } from '@/store/selection';
import { useTrainJobs } from '@/store/train_jobs';
import { useUrlState } from '@/store/url_state';

import { columnOf, isResult, tagCounts, usualColumns, type JobColumn } from './columns';
import { useGroupPages } from './group_pages';
import { EVERY, oldArguments, runsState } from './page_state';
import { features, GROUP, groupColumn, PINNED, pinnedColumn, valueColumn } from './runs_table';
import { tableRow, withoutMeans, type GroupTableRow, type TableRow } from './table_rows';
import { readWidths, writeWidths } from './widths';

const NONE: ReadonlyMap<string, number> = new Map();
const LEAST_NAME = 260;
/** In windows less than 1,400 pixels wide; in others, a share of the window. */
const MOST_NAME = 560;
const SHARE = 0.4;
/** Pixels of a letter, and of what else is in the cell. */
const LETTER = 7.2;
const NAME_ROOM = 134;
/** What a difference from the baseline needs beside the value. */
const DIFFERENCE = 104;
/** `0.768 ± 0.003 (n=5)` */
const LEAST_MEAN = 170;

const isScalar = (id: string): boolean => id.startsWith('scalar/') || sparkTag(id) !== null;
const tagsOf = ({ plugins }: TrainJob): readonly string[] | undefined => plugins['scalar'];
const isPresent = (value: Value): boolean => value !== null && value !== undefined;

export interface PlacedColumn extends JobColumn {
  readonly pinned: boolean;
  /** Sticky position in CSS pixels after the check boxes. */
  readonly left: number;
}

/**
 * The table of runs, in an element `room` pixels wide. All of its state except a column being resized
 * is in the URL.
 */
export function useRunsTable(room: Readonly<Ref<number>>) {
  const state = runsState.follow(['cols', 'pin', 'widths', 'baseline']);
  const order = useRunOrder();
  useUrlState().follow(oldArguments(order));
  const jobs = useTrainJobs();
  const facts = useJobFacts();
  const fields = useJobFields();
  const notes = useAnnotations();
  const selection = useSelection();
  const names = useRunNames();
  const window = useRunWindow();

  const measured = computed(() =>
    fields.parameters.names.filter((name) => name.startsWith('metric/')),
  );
  const lacksMetrics = ({ train_id: id }: TrainJob): boolean =>
    !measured.value.some((name) => isPresent(facts.table.valueOf(id, name)));
  /** Links may have other names of a parameter. */
  const shownAs = (id: string): string => fields.parameters.shownAs.get(id) ?? id;
  /** Scalars of runs without metrics. */
  const unmeasured = computed<ReadonlyMap<string, number>>(() => {
    if (window.isOn) return new Map(Object.entries(jobs.overview?.unmeasured_tags ?? {}));
    return facts.known ? tagCounts(selection.matching.filter(lacksMetrics).map(tagsOf)) : NONE;
  });
  const ids = computed(() =>
    state.cols.length > 0
      ? [...new Set(state.cols.map(shownAs))]
      : usualColumns({
          names: fields.parameters.names,
          tags: unmeasured.value,
          differs: (name) => facts.table.differs(name) || facts.table.size === 1,
        }),
  );
  const sorting = computed(() => order.sorting.map((key) => ({ ...key, id: shownAs(key.id) })));
  const groupedBy = computed(() => order.groupedBy);
  /** Columns that the table needs, including hidden ones. */
  const needed = computed(() => [
    ...new Set([
      ...ids.value,
      ...withSeverity(sorting.value).map(({ id }) => id),
      ...groupedBy.value,
    ]),
  ]);
  facts.use(() => fields.scalarColumns(needed.value));

  /** As wide as the longest name of a run or group, within limits. */
  const nameWidth = computed(() => {
    let longest = 0;
    for (const name of names.short.values()) longest = Math.max(longest, name.length);
    if (order.isGrouped)
      for (const name of selection.matching.map(order.groupNamer(selection.matching)))
        longest = Math.max(longest, name.length);
    const most = Math.max(MOST_NAME, SHARE * room.value);
    return Math.min(most, Math.max(LEAST_NAME, longest * LETTER + NAME_ROOM));
  });

  const baseline = computed(() => jobs.byId.get(state.baseline) ?? null);
  jobs.use(() => (state.baseline === '' ? [] : [state.baseline]));
  const differenceRoom = ({ id, numeric }: JobColumn): number =>
    baseline.value !== null && numeric && isResult(id) && sparkTag(id) === null ? DIFFERENCE : 0;

  function toggleBaseline(trainId: string): void {
    state.baseline = state.baseline === trainId ? '' : trainId;
  }

  const described = computed(
    () =>
      new Map(
        needed.value.map((id) => {
          const column = columnOf(id, facts.table.isNumeric(id) || isScalar(id));
          const least = order.isGrouped && column.numeric && isResult(id) ? LEAST_MEAN : 0;
          const width = Math.max(column.width, least) + differenceRoom(column);
          return [id, { ...column, width: id === 'name' ? nameWidth.value : width }] as const;
        }),
      ),
  );
  const isGrouped = computed(() => order.isGrouped);
  const anyPinned = computed(() =>
    selection.matching.some((job) => notes.byId.get(job.train_id)?.pinned === true),
  );

  const columnDefs = computed(() => [
    ...[...described.value.values()].map((column) =>
      valueColumn(column, fields.getter(column.id), isGrouped.value),
    ),
    pinnedColumn((job) => notes.byId.get(job.train_id)?.pinned === true),
    groupColumn(groupedBy.value, fields.getter),
  ]);

  /** States change with time; they matter only if the table sorts or groups by them. */
  const states = computed(() =>
    [...sorting.value.map(({ id }) => id), ...groupedBy.value].includes('state')
      ? selection.matching.map(fields.getter('state')).join()
      : '',
  );
  /** Rows cache their values, so changes need new rows. */
  const data = shallowRef<readonly TrainJob[]>([]);
  watch(
    [
      () => selection.matching,
      () => facts.table,
      () => notes.byId,
      states,
      () => JSON.stringify(groupedBy.value),
    ],
    ([matching]) => (data.value = window.isOn ? [] : [...matching]),
    { immediate: true },
  );

  const widths = shallowRef<ColumnSizingState>(readWidths(state.widths));
  watch(
    () => state.widths,
    (texts) => (widths.value = readWidths(texts)),
  );

  const pinning = computed<ColumnPinningState>(() => ({
    start: ids.value.slice(0, state.pin),
    end: [],
  }));
  const expanded = computed<ExpandedState>(() =>
    state.closed.length === 0
      ? true
      : Object.fromEntries(state.closed.map((value) => [value, false])),
  );
  const sortingOfTable = computed<SortingState>(() => [
    ...(anyPinned.value ? [{ id: PINNED, desc: true }] : []),
    ...withSeverity(sorting.value),
    // Ties are sorted by the groups' values.
    ...(isGrouped.value ? [{ id: GROUP, desc: false }] : []),
  ]);

  const table = useTable({
    features,
    columns: columnDefs,
    data,
    getRowId: (job: TrainJob) => job.train_id,
    autoResetAll: false,
    columnResizeMode: 'onChange',
    enableSortingRemoval: false,
    getIsRowExpanded: (row) => isOpen(String(row.groupingValue)),
    state: computed(() => ({
      columnOrder: [...ids.value],
      columnPinning: pinning.value,
      columnSizing: widths.value,
      columnVisibility: Object.fromEntries(
        [...needed.value, PINNED, GROUP].map((id) => [id, ids.value.includes(id)]),
      ),
      expanded: expanded.value,
      grouping: isGrouped.value ? [GROUP] : [],
      sorting: sortingOfTable.value,
    })),
    onColumnOrderChange: (next) => (state.cols = functionalUpdate(next, [...ids.value])),
    onColumnPinningChange: (next) => {
      const { start } = functionalUpdate(next, pinning.value);
      state.cols = [...start, ...ids.value.filter((id) => !start.includes(id))];
      state.pin = start.length;
    },
    onColumnSizingChange: (next) => (widths.value = functionalUpdate(next, widths.value)),
    onSortingChange: (next) => {
      const keys = functionalUpdate(next, sortingOfTable.value);
      order.sort = writeSorting(
        withoutSeverity(keys.filter(({ id }) => id !== PINNED && id !== GROUP)),
      );
    },
  });

  /** Not in the URL while resizing: browsers limit how often it changes. */
  const resizing = computed(() => table.atoms.columnResizing.get().isResizingColumn !== false);
  watch([resizing, widths], () => {
    const texts = writeWidths(widths.value);
    if (!resizing.value && texts.join() !== state.widths.join()) state.widths = texts;
  });

  const headers = computed(() => table.getHeaderGroups()[0]?.headers ?? []);
  const columns = computed<readonly PlacedColumn[]>(() =>
    table.getVisibleLeafColumns().flatMap((column) => {
      const known = described.value.get(column.id);
      if (!known) return [];
      return [
        {
          ...known,
          width: column.getSize(),
          pinned: column.getIsPinned() === 'start',
          left: column.getStart('start'),
        },
      ];
    }),
  );
  const groups = useGroupPages(() => needed.value, isOpen);
  /** By the server if not all runs are listed. */
  const rows = computed<readonly TableRow[]>(() => {
    if (isGrouped.value) {
      const grouped = window.isOn ? groups.rows.value : table.getRowModel().rows.map(tableRow);
      return order.isByConfig ? grouped.map(withoutMeans) : grouped;
    }
    return !window.isOn
      ? table.getRowModel().rows.map(tableRow)
      : selection.matching.map((job) => ({ kind: 'run', id: job.train_id, job }));
  });

  /** List the rows below, if there are any. */
  function more(): void {
    if (!window.isOn) return;
    if (isGrouped.value) groups.more();
    else void window.more();
  }

  const runsOfGroup = ({ key, trainIds }: GroupTableRow): Promise<readonly string[]> =>
    window.isOn ? groups.runsOf(key) : Promise.resolve(trainIds);

  /** Its position among the sorted columns, from 1; 0 if it is the only one. */
  const rankOf = (id: string): number =>
    sorting.value.length < 2 ? 0 : sorting.value.findIndex((key) => key.id === id) + 1;

  /** A second click reverses the order. */
  const sortBy = (id: string): void => table.getColumn(id)?.toggleSorting();

  function moveColumn(id: string, before: string): void {
    if (id === before) return;
    const others = ids.value.filter((other) => other !== id);
    table.setColumnOrder(others.toSpliced(others.indexOf(before), 0, id));
  }

  function shiftColumn(id: string, by: number): void {
    const at = ids.value.indexOf(id) + by;
    if (at < 0 || at >= ids.value.length) return;
    table.setColumnOrder(ids.value.filter((other) => other !== id).toSpliced(at, 0, id));
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

  function resizeColumn(id: string, by: number): void {
    table.setColumnSizing((before) => ({
      ...before,
      [id]: (table.getColumn(id)?.getSize() ?? 0) + by,
    }));
  }

  /** The width that its contents need by default. */
  function fitColumn(id: string): void {
    table.setColumnSizing((before) =>
      Object.fromEntries(Object.entries(before).filter(([other]) => other !== id)),
    );
  }

  /** Groups of large folders are closed until they are opened. */
  function isOpen(group: string): boolean {
    if (window.isOn) return state.closed.includes(EVERY) && state.closed.includes(group);
    return state.closed.includes(group) === state.closed.includes(EVERY);
  }

  const allClosed = computed(() => state.closed.includes(EVERY));

  function toggleAllGroups(): void {
    state.closed = allClosed.value ? [] : [EVERY];
  }

  function toggleGroup(value: string): void {
    const closed = window.isOn && !state.closed.includes(EVERY) ? [EVERY] : state.closed;
    state.closed = closed.includes(value)
      ? closed.filter((one) => one !== value)
      : [...closed, value];
  }

  function useUsual(): void {
    state.cols = [];
    state.pin = 1;
  }

  return {
    state,
    sorting,
    sortBy,
    headers,
    columns,
    rows,
    ids,
    isGrouped,
    groupedBy,
    resizing,
    baseline,
    toggleBaseline,
    more,
    runsOfGroup,
    listGroups: groups.all,
    /** Whether the rows are older than filter, order and grouping. */
    waiting: computed(() => window.waiting || groups.waiting.value),
    problem: computed(() => window.problem ?? groups.problem.value),
    count: computed(() => selection.matchCount),
    total: computed(() => jobs.total),
    allClosed,
    toggleAllGroups,
    rankOf,
    moveColumn,
    shiftColumn,
    toggleColumn,
    resizeColumn,
    fitColumn,
    toggleGroup,
    toggleGrouping: order.toggleGrouping,
    usualColumns: useUsual,
  };
}

export type RunsTable = ReturnType<typeof useRunsTable>;
