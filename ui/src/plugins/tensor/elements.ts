import { formatValue } from '@/base/format';

/** An element as the server answers it: numbers that JSON has not are words, complex ones pairs or texts. */
export type Element = number | string | boolean | null | readonly number[];
/** A part of a tensor, nested as deep as it has dimensions that are not a single index. */
export type Elements = Element | readonly Elements[];

export const NUMBER_FORMATS = ['short', 'full', 'fixed', 'exponent'] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

const NOT_FINITE: Readonly<Record<string, number>> = { NAN: NaN, INF: Infinity, '-INF': -Infinity };

/** An element as a number; null: it is none. */
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

/** Rows and columns of a part that has two dimensions at most; a vector is one row. None: nothing is in it. */
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

/** Longer dimensions are cut: as many rows and columns as one looks at. */
const MOST = { rows: 1000, columns: 100 };

/** The part that is shown of a tensor of this shape at first: the first matrix in it. */
export function usualDims(shape: readonly number[]): string[] {
  return shape.map((size, i) => {
    const fromEnd = shape.length - 1 - i;
    if (fromEnd > 1) return '0';
    const most = fromEnd === 0 ? MOST.columns : MOST.rows;
    return size > most ? `0:${most}` : ':';
  });
}

/** Whether a field of a dimension can be asked for. */
export function isIndex(text: string, size: number): boolean {
  const trimmed = text.trim();
  if (/^[+-]?\d+$/.test(trimmed)) return Number(trimmed) >= -size && Number(trimmed) < size;
  return /^([+-]?\d+)?\s*:\s*([+-]?\d+)?(\s*:\s*([+-]?[1-9]\d*)?)?$/.test(trimmed);
}

/** Where a value lies between two others, from 0 to 1; 0 where that means nothing. */
export function shareOf(
  value: number | null,
  least: number | null,
  largest: number | null,
): number {
  if (value === null || least === null || largest === null || !(largest > least)) return 0;
  return Number.isFinite(value) ? Math.min(1, Math.max(0, (value - least) / (largest - least))) : 0;
}
