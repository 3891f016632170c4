import type { Series } from '@/api/series';
import { formatValue } from '@/base/format';

const LONGEST = 80;
/** Lists of an answer that are not columns. */
const NOT_COLUMNS = new Set(['step', 'wall_time', 'problems', 'non_finite', 'writers']);

/** Column names of a series, without steps and times. */
export const columnsOf = (series: Series): string[] =>
  Object.entries(series)
    .filter(
      ([name, column]) =>
        !NOT_COLUMNS.has(name) && Array.isArray(column) && column.length === series.step.length,
    )
    .map(([name]) => name);

export const cellsOf = (series: Series, columns: readonly string[], row: number): string[] =>
  columns.map((name) =>
    cellText((series as unknown as Record<string, readonly unknown[]>)[name]?.[row]),
  );

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '–';
  if (typeof cell === 'number') return formatValue(cell);
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** Blob sizes of a step in bytes; empty: no blobs. */
export function blobSizes(series: Series, row: number): readonly number[] {
  const sizes = (series as Series & { bytes?: readonly unknown[] }).bytes?.[row];
  return Array.isArray(sizes) ? sizes.filter((one) => typeof one === 'number') : [];
}
