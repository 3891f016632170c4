import type { Series } from '@/api/series';
import { dtypeName } from '@/base/dtype';
import { formatBytes, formatValue, formatWhole } from '@/base/format';

const LONGEST = 160;
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

export const cellsOf = (series: Series, columns: readonly string[], row: number): string[] => {
  const at = (name: string): unknown =>
    (series as unknown as Record<string, readonly unknown[]>)[name]?.[row];
  // Blobs have a count instead of a shape.
  const [count] = 'bytes' in series ? [at('dims')].flat() : [];
  return columns.map((name) =>
    name === 'dims' && typeof count === 'number'
      ? formatWhole(count)
      : shortText(cellText(name, at(name), at('dims'))),
  );
};

const shortText = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;

function cellText(name: string, cell: unknown, dims: unknown): string {
  if (cell === null || cell === undefined) return '–';
  if (typeof cell === 'number') return formatValue(cell);
  if (typeof cell === 'string') return name === 'data_type' ? dtypeName(cell) : cell;
  if (!Array.isArray(cell)) return JSON.stringify(cell);
  if (name === 'values' && Array.isArray(dims)) return elementsText(cell, dims.map(Number));
  if (name === 'bytes') return cell.map((size) => formatBytes(Number(size))).join(', ');
  return `[${cell.join(', ')}]`;
}

/** The first elements of a tensor, in row-major order, nested as its dimensions are. */
export function elementsText(elements: readonly unknown[], dims: readonly number[]): string {
  const count = dims.reduce((product, size) => product * size, 1);
  const texts = elements.map((one) =>
    typeof one === 'number'
      ? formatValue(one)
      : typeof one === 'string'
        ? one
        : JSON.stringify(one),
  );
  if (count === 0) return '[]';
  const text = texts
    .map((one, i) => {
      const edges = dims.map((_, d) => dims.slice(d).reduce((product, size) => product * size, 1));
      const opened = edges.filter((size) => i % size === 0).length;
      const closed = edges.filter((size) => (i + 1) % size === 0).length;
      return `${i > 0 ? ', ' : ''}${'['.repeat(opened)}${one}${']'.repeat(closed)}`;
    })
    .join('');
  return texts.length < count ? `${text}, …` : text;
}

/** Blob sizes of a step in bytes; empty: no blobs. */
export function blobSizes(series: Series, row: number): readonly number[] {
  const sizes = (series as Series & { bytes?: readonly unknown[] }).bytes?.[row];
  return Array.isArray(sizes) ? sizes.filter((one) => typeof one === 'number') : [];
}
