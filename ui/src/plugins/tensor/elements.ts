import { formatValue } from '@/base/format';

/** Non-finite numbers are strings, complex ones pairs or strings. */
export type Element = number | string | boolean | null | readonly number[];
/** Nested by the dimensions that are not a single index. */
export type Elements = Element | readonly Elements[];

export const NUMBER_FORMATS = ['short', 'full', 'fixed', 'exponent'] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

const NOT_FINITE: Readonly<Record<string, number>> = { NAN: NaN, INF: Infinity, '-INF': -Infinity };

export function numberOf(element: Elements): number | null {
  if (typeof element === 'number') return element;
  if (typeof element === 'boolean') return Number(element);
  return typeof element === 'string' ? (NOT_FINITE[element] ?? null) : null;
}

export function formatElement(element: Elements, format: NumberFormat): string {
  if (typeof element === 'boolean') return String(element);
  const value = numberOf(element);
  if (value === null) return typeof element === 'string' ? element : JSON.stringify(element);
  if (!Number.isFinite(value)) return formatValue(value);
  switch (format) {
    case 'short':
      return formatValue(value);
    case 'full':
      return String(value);
    case 'fixed':
      return value.toFixed(3);
    case 'exponent':
      return value.toExponential(3);
  }
}

function isList(elements: Elements): elements is readonly Elements[] {
  return Array.isArray(elements);
}

const MOST = { rows: 1000, columns: 100 };

/** By default the first matrix of a tensor. */
export const usualDims = (shape: readonly number[]): string[] =>
  shape.map((size, i) => {
    const fromEnd = shape.length - 1 - i;
    if (fromEnd > 1) return '0';
    const most = fromEnd === 0 ? MOST.columns : MOST.rows;
    return size > most ? `0:${most}` : ':';
  });

/** The positions that a dimension's field selects, as in Python; null: it is invalid. */
export function indicesOf(text: string, size: number): number[] | null {
  const trimmed = text.trim();
  if (/^[+-]?\d+$/.test(trimmed)) {
    const index = Number(trimmed);
    return index >= -size && index < size ? [index < 0 ? index + size : index] : null;
  }
  const parts = /^([+-]?\d+)?\s*:\s*([+-]?\d+)?(?:\s*:\s*([+-]?\d+)?)?$/.exec(trimmed);
  if (!parts) return null;
  const step = Number(parts[3] ?? 1);
  if (step === 0) return null;
  const [low, high] = step > 0 ? [0, size] : [-1, size - 1];
  const bound = (part: string | undefined, otherwise: number): number => {
    if (part === undefined) return otherwise;
    const index = Number(part);
    return Math.min(high, Math.max(low, index < 0 ? index + size : index));
  };
  const [start, stop] =
    step > 0
      ? [bound(parts[1], low), bound(parts[2], high)]
      : [bound(parts[1], high), bound(parts[2], low)];
  const count = Math.max(0, Math.ceil((stop - start) / step));
  return Array.from({ length: count }, (_, i) => start + i * step);
}

export const isSlice = (text: string): boolean => text.includes(':');

/** More have no table. */
export const MOST_SLICES = 2;

/** A part as a table whose rows and columns have the tensor's own indices. */
export interface PartTable {
  /** The dimensions of rows and columns; null: the tensor has no such dimension. */
  readonly dimensions: readonly [number | null, number | null];
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly cells: readonly (readonly Elements[])[];
}

/** The table of a part with at most two slices. `fields` are valid, one per dimension. */
export function tableOf(
  elements: Elements,
  fields: readonly string[],
  shape: readonly number[],
): PartTable {
  const indices = fields.map((field, i) => (indicesOf(field, shape[i] ?? 0) ?? []).map(String));
  const sliced = fields.flatMap((field, i) => (isSlice(field) ? [i] : []));
  const last = fields.length - 1;
  const [first = Math.max(0, last)] = sliced;
  const isColumn = sliced.length === 1 && first < last;
  const [row, column] =
    sliced.length > 1
      ? [first, sliced[1] ?? last]
      : isColumn
        ? [first, first + 1]
        : [first - 1, first];
  const list = isList(elements) ? elements : [elements];
  return {
    dimensions: [row >= 0 && row <= last ? row : null, column <= last ? column : null],
    rows: indices[row] ?? [''],
    columns: indices[column] ?? [''],
    cells:
      sliced.length > 1
        ? list.map((cells) => (isList(cells) ? cells : [cells]))
        : isColumn
          ? list.map((cell) => [cell])
          : [list],
  };
}

/** The position of a value between two others, from 0 to 1; 0 if undefined. */
export function shareOf(
  value: number | null,
  least: number | null,
  largest: number | null,
): number {
  if (value === null || least === null || largest === null || !(largest > least)) return 0;
  return Number.isFinite(value) ? Math.min(1, Math.max(0, (value - least) / (largest - least))) : 0;
}
