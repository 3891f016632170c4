import {
  columnGroupingFeature,
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createExpandedRowModel,
  createGroupedRowModel,
  createSortedRowModel,
  rowAggregationFeature,
  rowExpandingFeature,
  rowSortingFeature,
  tableFeatures,
  type ColumnDef,
  type Header,
  type Row,
} from '@tanstack/vue-table';

import type { TrainJob } from '@/api/train_jobs';
import type { Value } from '@/base/job_query';
import { compareValues, presentValue } from '@/base/value_order';
import type { GetValue } from '@/store/job_fields';

import { isAveraged, isResult, type JobColumn } from './columns';
import { groupKey, summaryOf, type Summary } from './grouping';

export const features = tableFeatures({
  columnGroupingFeature,
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowAggregationFeature,
  rowExpandingFeature,
  rowSortingFeature,
  groupedRowModel: createGroupedRowModel(),
  sortedRowModel: createSortedRowModel(),
  expandedRowModel: createExpandedRowModel(),
});

export type RunRow = Row<typeof features, TrainJob>;
export type RunHeader = Header<typeof features, TrainJob>;
type RunColumn = ColumnDef<typeof features, TrainJob>;

/** Hidden columns: pinned runs come first, groups have one value. */
export const PINNED = '#pinned';
export const GROUP = '#group';

const LEAST_WIDTH = 48;
const MOST_WIDTH = 800;
const MEAN_WIDTH = 172;

export function valueColumn(column: JobColumn, get: GetValue, grouped: boolean): RunColumn {
  const averaged = isAveraged(column);
  return {
    id: column.id,
    accessorFn: (job) => presentValue(get(job)),
    sortFn: (a, b, id) => compareValues(sortValue(a.getValue(id)), sortValue(b.getValue(id))),
    sortUndefined: 'last',
    // The direction must not depend on values that may not be known yet.
    sortDescFirst:
      column.kind !== 'config' &&
      (column.numeric || isResult(column.id)) &&
      column.better !== 'lower',
    aggregationFn: {
      aggregate: ({ rows, getValue }) =>
        summaryOf(
          rows.map((row) => getValue(row) as Value),
          averaged,
        ),
    },
    size: Math.max(column.width, grouped && averaged ? MEAN_WIDTH : 0),
    minSize: LEAST_WIDTH,
    maxSize: MOST_WIDTH,
  };
}

export const pinnedColumn = (isPinned: (job: TrainJob) => boolean): RunColumn => ({
  id: PINNED,
  accessorFn: (job) => Number(isPinned(job)),
  sortFn: (a, b) => a.getValue<number>(PINNED) - b.getValue<number>(PINNED),
});

/** The shared values of a group; groups without any come last. */
export function groupColumn(
  fields: readonly string[],
  getterOf: (field: string) => GetValue,
): RunColumn {
  const getters = fields.map(getterOf);
  return {
    id: GROUP,
    accessorFn: (job) => groupKey(job, getters),
    getGroupingValue: (job) => groupKey(job, getters) ?? '',
    sortFn: (a, b) => {
      for (const field of fields) {
        const [left, right] = [sortValue(a.getValue(field)), sortValue(b.getValue(field))];
        const order =
          Number(left === undefined) - Number(right === undefined) ||
          (left === undefined ? 0 : compareValues(left, right));
        if (order !== 0) return order;
      }
      return 0;
    },
    sortUndefined: 'last',
  };
}

/** The value of a run, or the shared value or mean of a group. */
function sortValue(value: unknown): Value {
  if (typeof value !== 'object' || value === null) return value as Value;
  const summary = value as Summary;
  return summary.kind === 'mean' ? summary.mean : summary.value;
}
