import type { TrainJob } from '@/api/train_jobs';
import type { Value } from '@/base/job_query';
import { presentValue } from '@/base/value_order';

import type { Summary } from './grouping';

/** A row of the table: a run, or a group with its values by column. */
export interface CsvRow {
  readonly group: string;
  readonly job: TrainJob | null;
  readonly summaryOf: (column: string) => Summary | undefined;
}

export interface CsvTable {
  readonly columns: readonly { readonly id: string; readonly title: string }[];
  readonly rows: readonly CsvRow[];
  readonly isGrouped: boolean;
  readonly valueOf: (column: string, job: TrainJob) => Value;
}

/** The rows as shown, with all digits. Means of groups have their deviation and count beside them. */
export function csvRows({ columns, rows, isGrouped, valueOf }: CsvTable): string[][] {
  const means = new Set(
    columns
      .map(({ id }) => id)
      .filter((id) => rows.some((row) => row.summaryOf(id)?.kind === 'mean')),
  );
  const head = columns.flatMap(({ id, title }) =>
    means.has(id) ? [title, `${title} std`, `${title} n`] : [title],
  );
  const cells = ({ job, summaryOf }: CsvRow): string[] =>
    columns.flatMap(({ id }) => {
      const summary = job ? undefined : summaryOf(id);
      if (summary?.kind === 'mean')
        return [summary.mean, summary.deviation, summary.count].map(String);
      const value = job ? valueOf(id, job) : summary?.value;
      const text = written(id, value);
      return means.has(id) ? [text, '', ''] : [text];
    });
  return [
    isGrouped ? ['Group', ...head] : head,
    ...rows.map((row) => (isGrouped ? [row.group, ...cells(row)] : cells(row))),
  ];
}

function written(id: string, value: Value): string {
  if (Number.isNaN(value)) return 'nan';
  const present = presentValue(value);
  if (present === undefined) return '';
  if ((id === 'updated' || id === 'created') && typeof present === 'number')
    return new Date(present * 1000).toISOString();
  return String(present).replace('Infinity', 'inf');
}
