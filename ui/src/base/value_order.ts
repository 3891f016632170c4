import type { Value } from './job_query';
import { naturalOrder } from './natural_order';

export const presentValue = (value: Value): Value =>
  value === null || value === '' || Number.isNaN(value) ? undefined : value;

/** Ascending: numbers first, then texts in natural order. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1;
  return naturalOrder(String(a), String(b));
}
