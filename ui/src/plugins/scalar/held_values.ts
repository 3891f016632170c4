import type { ScalarSeries } from '@/api/scalars';

/** The value of a series at each of some steps: of its last point there or before; NaN before its first. */
export function heldAt(series: Pick<ScalarSeries, 'step' | 'value'>, steps: Float64Array, values = series.value): Float64Array {
  let at = -1;
  return steps.map((step) => {
    while (at + 1 < series.step.length && (series.step[at + 1] ?? Infinity) <= step) at++;
    return values[at] ?? NaN;
  });
}
