import { drawable } from '@/store/scalar_windows';

import type { LineSource } from './lines';

export interface Drawn {
  readonly drawn: number;
  /** In the logs, within the zoomed range. */
  readonly total: number;
  /** Set aside: replaced, stray or by other writers. */
  readonly aside: number;
  /** Without a value of the scalar on the x axis. */
  readonly withoutX: number;
  /** Of series that a snapshot has only in part. */
  readonly held: number;
  readonly reduced: number;
}

export function drawnOf(series: readonly Pick<LineSource, 'series' | 'window' | 'aside'>[]): Drawn {
  let drawn = 0;
  let total = 0;
  let aside = 0;
  let withoutX = 0;
  let held = 0;
  let reduced = 0;
  for (const one of series) {
    const points = one.series.step.length;
    drawn += points;
    aside += one.series.superseded;
    for (const { reason, count } of one.aside) if (reason === 'writer') aside += count;
    withoutX += one.series.withoutX ?? 0;
    const logged = one.window ? (one.series.inRange ?? points) : drawable(one.series);
    total += Math.max(points, logged);
    if (one.series.held !== undefined) {
      held += one.series.held;
      reduced += one.series.total - one.series.superseded;
    }
  }
  return { drawn, total, aside, withoutX, held, reduced };
}
