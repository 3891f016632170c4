import type { TrainJob } from '@/api/train_jobs';

import type { Summary } from './grouping';
import type { RunRow } from './runs_table';

/** A run, or the heading of a group, whose runs follow if it is open. */
export type TableRow =
  | { readonly kind: 'run'; readonly id: string; readonly job: TrainJob }
  | GroupTableRow
  /** The end of an open group of which only the first runs are listed. */
  | { readonly kind: 'rest'; readonly id: string; readonly shown: number; readonly of: number };

export interface GroupTableRow {
  readonly kind: 'group';
  readonly id: string;
  /** Of the values that its runs share; see `groupKey`. */
  readonly key: string;
  readonly isOpen: boolean;
  readonly count: number;
  /** Its runs, as far as the page knows them. */
  readonly trainIds: readonly string[];
  readonly summaryOf: (column: string) => Summary | undefined;
}

export const tableRow = (row: RunRow): TableRow =>
  row.getIsGrouped()
    ? {
        kind: 'group',
        id: row.id,
        key: String(row.groupingValue),
        isOpen: row.getIsExpanded(),
        count: row.subRows.length,
        trainIds: row.subRows.map(({ id }) => id),
        summaryOf: (column) => row.getValue<Summary | undefined>(column),
      }
    : { kind: 'run', id: row.id, job: row.original };

/** Runs without config are no repetitions of each other: they have no mean. */
export const withoutMeans = (row: TableRow): TableRow =>
  row.kind === 'group' && row.key === ''
    ? {
        ...row,
        summaryOf: (column) => {
          const summary = row.summaryOf(column);
          return summary?.kind === 'same' ? summary : undefined;
        },
      }
    : row;
