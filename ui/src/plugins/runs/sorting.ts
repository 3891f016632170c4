import type { Value } from '@/base/job_query';
import { naturalOrder } from '@/base/natural_order';

/** Sorts by one column. */
export interface SortKey {
  readonly id: string;
  readonly desc: boolean;
}

/** `-loss`: descending. */
export function writeSorting(keys: readonly SortKey[]): string[] {
  return keys.map(({ id, desc }) => (desc ? `-${id}` : id));
}

export function readSorting(names: readonly string[]): SortKey[] {
  return names.map((name) => ({ id: name.replace(/^-/, ''), desc: name.startsWith('-') }));
}

/** Ascending: numbers by size, NaN behind them, then texts the way people count. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') {
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return a - b;
  }
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1;
  return naturalOrder(String(a), String(b));
}

/** A sorted copy; what is not there comes last either way, and equals stay as they came. */
export function sortedBy<Row>(rows: readonly Row[], keys: readonly { get: (row: Row) => Value; desc: boolean }[]): Row[] {
  if (keys.length === 0) return [...rows];
  // Values are read once for each row: comparing reads them a dozen times.
  const read = rows.map((row, index) => ({ row, index, values: keys.map(({ get }) => get(row)) }));
  read.sort((a, b) => {
    for (let i = 0; i < keys.length; i++) {
      const [left, right] = [a.values[i], b.values[i]];
      const [noLeft, noRight] = [isMissing(left), isMissing(right)];
      if (noLeft || noRight) {
        if (noLeft !== noRight) return noLeft ? 1 : -1;
        continue;
      }
      const order = compareValues(left, right);
      if (order !== 0) return keys[i]?.desc ? -order : order;
    }
    return a.index - b.index;
  });
  return read.map(({ row }) => row);
}

function isMissing(value: Value): boolean {
  return value === null || value === undefined || value === '' || Number.isNaN(value);
}
