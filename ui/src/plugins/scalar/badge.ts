import type { ScalarSeries } from '@/api/scalars';

/** What a chart draws of what the logs hold, over all its lines. */
export interface Drawn {
  readonly drawn: number;
  /** In the logs, or in the window of them that is looked at. */
  readonly total: number;
  readonly superseded: number;
}

/** Sums over the series of a chart. */
export function drawnOf(series: readonly { series: ScalarSeries; window: boolean }[]): Drawn {
  let drawn = 0;
  let total = 0;
  let superseded = 0;
  for (const one of series) {
    const points = one.series.step.length;
    drawn += points;
    superseded += one.series.superseded;
    const held = one.window ? one.series.inRange ?? points : one.series.total - one.series.superseded;
    total += Math.max(points, held);
  }
  return { drawn, total, superseded };
}
