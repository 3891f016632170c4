import { formatValue } from '@/base/format';
import type { Value } from '@/base/job_query';
import { presentValue } from '@/base/value_order';

import type { JobColumn } from './columns';

export interface Difference {
  /** `+0.012 (+1.6%)` */
  readonly text: string;
  /** Null: equal, or it is unknown which values are better. */
  readonly isBetter: boolean | null;
}

const signed = (value: number, digits: number): string =>
  `${value > 0 ? '+' : ''}${formatValue(value, digits)}`;

/** A result compared with that of the baseline; null: one of them is no finite number. */
export function differenceFrom(
  baseline: Value,
  value: Value,
  better: JobColumn['better'],
): Difference | null {
  if (!isFiniteNumber(baseline) || !isFiniteNumber(value)) return null;
  // Not the digits that only subtracting leaves.
  const size = Math.max(Math.abs(value), Math.abs(baseline));
  const exact = value - baseline;
  const difference = Math.abs(exact) < size * 1e-12 ? 0 : exact;
  const percent = baseline === 0 ? NaN : (100 * difference) / Math.abs(baseline);
  const share = Number.isNaN(percent) ? '' : ` (${signed(percent, 2)}%)`;
  return {
    text: difference === 0 ? '±0' : `${signed(difference, 2)}${share}`,
    isBetter: difference === 0 || better === null ? null : difference > 0 === (better === 'higher'),
  };
}

/** Whether a setting differs from the baseline's; a missing one does, too. */
export const isChanged = (baseline: Value, value: Value): boolean =>
  presentValue(baseline) !== presentValue(value);

const isFiniteNumber = (value: Value): value is number =>
  typeof value === 'number' && Number.isFinite(value);
