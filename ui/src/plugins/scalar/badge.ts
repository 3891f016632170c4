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
}

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
