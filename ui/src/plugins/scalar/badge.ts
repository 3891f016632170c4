import { drawable } from '@/store/scalar_windows';

import type { LineSource } from './lines';

/** What a chart draws of what the logs hold, over all its lines. */
export interface Drawn {
  readonly drawn: number;
  /** In the logs, or in the window of them that is looked at. */
  readonly total: number;
  /** Do not count: replaced, stray or written by others at the same time. */
  readonly aside: number;
  /** Have no place on an x axis that is another scalar. */
  readonly withoutX: number;
}

/** Sums over the series of a chart. */
export function drawnOf(series: readonly Pick<LineSource, 'series' | 'window' | 'aside'>[]): Drawn {
  let drawn = 0;
  let total = 0;
  let aside = 0;
  let withoutX = 0;
  for (const one of series) {
    const points = one.series.step.length;
    drawn += points;
    aside += one.series.superseded;
    for (const { reason, count } of one.aside) if (reason === 'writer') aside += count;
    withoutX += one.series.withoutX ?? 0;
    const held = one.window ? (one.series.inRange ?? points) : drawable(one.series);
    total += Math.max(points, held);
  }
  return { drawn, total, aside, withoutX };
}
