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

/** Rows of a part with at most two dimensions; a vector is one row. None: it is empty. */
export function rowsOf(elements: Elements): (readonly Elements[])[] {
  if (!isList(elements)) return [[elements]];
  if (elements.every((row) => isList(row) && row.length === 0)) return [];
  const rows: (readonly Elements[])[] = [];
  for (const row of elements) if (isList(row)) rows.push(row);
  return rows.length > 0 && rows.length === elements.length ? rows : [elements];
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

/** Whether a dimension's field is valid. */
export function isIndex(text: string, size: number): boolean {
  const trimmed = text.trim();
  if (/^[+-]?\d+$/.test(trimmed)) return Number(trimmed) >= -size && Number(trimmed) < size;
  return /^([+-]?\d+)?\s*:\s*([+-]?\d+)?(\s*:\s*([+-]?[1-9]\d*)?)?$/.test(trimmed);
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
