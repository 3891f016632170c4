import {
  createExpandedRowModel,
  createSortedRowModel,
  functionalUpdate,
  rowExpandingFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type RowData,
} from '@tanstack/vue-table';
import { computed } from 'vue';

import type { Value } from '@/base/job_query';
import { readSorting, writeSorting } from '@/base/sorting';
import { compareValues, presentValue } from '@/base/value_order';

const features = tableFeatures({
  rowExpandingFeature,
  rowSortingFeature,
  expandedRowModel: createExpandedRowModel(),
  sortedRowModel: createSortedRowModel(),
});

export interface SortedColumn<Row> {
  readonly id: string;
  readonly get: (row: Row) => Value;
}

export interface SortedTableSource<Row> {
  readonly rows: () => readonly Row[];
  readonly columns: () => readonly SortedColumn<Row>[];
  readonly idOf: (row: Row) => string;
  readonly childrenOf?: (row: Row) => readonly Row[];
  /** Fields of the page's state: sorted columns, and rows with visible children. */
  readonly state: { sort: readonly string[]; open?: readonly string[] };
}

/** Rows sorted by several columns, missing values last, with the children of open rows. */
export function useSortedTable<Row extends RowData>({
  rows,
  columns,
  idOf,
  childrenOf,
  state,
}: SortedTableSource<Row>) {
  const sorting = computed(() => readSorting(state.sort));
  const open = computed(() => Object.fromEntries((state.open ?? []).map((id) => [id, true])));

  const table = useTable({
    features,
    data: computed(rows),
    columns: computed(() =>
      columns().map(({ id, get }) => ({
        id,
        accessorFn: (row: Row) => presentValue(get(row)),
        sortFn: (
          a: { getValue: (id: string) => unknown },
          b: { getValue: (id: string) => unknown },
        ) => compareValues(a.getValue(id) as Value, b.getValue(id) as Value),
        sortUndefined: 'last' as const,
      })),
    ),
    getRowId: idOf,
    getSubRows: (row: Row) => childrenOf?.(row),
    autoResetAll: false,
    state: computed(() => ({ sorting: sorting.value, expanded: open.value })),
    onSortingChange: (next) => {
      state.sort = writeSorting(functionalUpdate(next, sorting.value));
    },
    onExpandedChange: (next) => {
      const after = functionalUpdate(next, open.value);
      state.open = Object.entries(after).flatMap(([id, shown]) => (shown ? [id] : []));
    },
  });

  function sortOf(id: string): 'ascending' | 'descending' | 'none' {
    const key = sorting.value.find((one) => one.id === id);
    return key === undefined ? 'none' : key.desc ? 'descending' : 'ascending';
  }

  /** Sorts by a column; with Shift, in addition to others. The third click removes it. */
  const sortBy = (id: string, event: MouseEvent): void =>
    table.getColumn(id)?.getToggleSortingHandler()?.(event);

  /** Its position among the sorted columns, from 1; 0 if it is the only one. */
  const rankOf = (id: string): number =>
    sorting.value.length < 2 ? 0 : sorting.value.findIndex((key) => key.id === id) + 1;

  return { rows: computed(() => table.getRowModel().rows), sortOf, sortBy, rankOf };
}
