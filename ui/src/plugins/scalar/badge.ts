import type { ScalarSeries } from '@/api/scalars';
import { drawable } from '@/store/scalar_windows';

/** What a chart draws of what the logs hold, over all its lines. */
export interface Drawn {
  readonly drawn: number;
  /** In the logs, or in the window of them that is looked at. */
  readonly total: number;
  readonly superseded: number;
  /** Have no place on an x axis that is another scalar. */
  readonly withoutX: number;
}

/** Sums over the series of a chart. */
export function drawnOf(series: readonly { series: ScalarSeries; window: boolean }[]): Drawn {
  let drawn = 0;
  let total = 0;
  let superseded = 0;
  let withoutX = 0;
  for (const one of series) {
    const points = one.series.step.length;
    drawn += points;
    superseded += one.series.superseded;
    withoutX += one.series.withoutX ?? 0;
    const held = one.window ? one.series.inRange ?? points : drawable(one.series);
    total += Math.max(points, held);
  }
  return { drawn, total, superseded, withoutX };
}
