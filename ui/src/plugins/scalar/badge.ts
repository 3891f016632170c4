import type { ScalarSeries } from '@/api/scalars';

/** What a chart draws of what the logs hold, over all its lines. */
export interface Drawn {
  readonly drawn: number;
  /** In the logs; null where only a window is looked at and not all of it is drawn. */
  readonly total: number | null;
  readonly superseded: number;
}

/** Sums over the series of a chart; `reduced` says of each whether points were left out. */
export function drawnOf(series: readonly { series: ScalarSeries; window: boolean; reduced: boolean }[]): Drawn {
  let drawn = 0;
  let total: number | null = 0;
  let superseded = 0;
  for (const one of series) {
    const points = one.series.step.length;
    drawn += points;
    superseded += one.series.superseded;
    if (one.window && one.reduced) total = null;
    if (total !== null) total += one.window ? points : Math.max(points, one.series.total - one.series.superseded);
  }
  return { drawn, total, superseded };
}
