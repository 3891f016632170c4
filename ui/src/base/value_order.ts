import type { Value } from './job_query';
import { naturalOrder } from './natural_order';

/** The value, or undefined where there is nothing to show or to sort by. */
export function presentValue(value: Value): Value {
  return value === null || value === '' || Number.isNaN(value) ? undefined : value;
}

/** Ascending: numbers by size, then texts the way people count. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1;
  return naturalOrder(String(a), String(b));
}
