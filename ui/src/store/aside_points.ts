import { ApiError } from '@/api/client';
import type { AsidePiece, SetAside } from '@/api/restarts';
import type { ScalarSeries } from '@/api/scalars';

export interface AsidePoints {
  restarts: readonly number[];
  aside: readonly AsidePiece[];
  /** The facts of the series that these belong to; empty: nothing was fetched. */
  asideOf: string;
}

export type FetchAside = (trainId: string, tag: string) => Promise<SetAside>;

export const noAside = (): AsidePoints => ({ restarts: [], aside: [], asideOf: '' });

/** Returns whether the points changed. A failed request only leaves the marks out. */
export async function followAside(
  points: AsidePoints,
  series: ScalarSeries,
  fetch: FetchAside,
): Promise<boolean> {
  const writers = series.writers?.length ?? 1;
  // Nothing tells when another writer's points grow, but it writes as long as this one.
  const request =
    series.superseded === 0 && writers < 2
      ? ''
      : `${series.superseded} ${writers > 1 ? series.total : ''}`;
  if (request === points.asideOf) return false;
  points.asideOf = request;
  let found: SetAside = { restarts: [], pieces: [] };
  if (request !== '') {
    try {
      found = await fetch(series.train_id, series.tag);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      if (points.asideOf === request) points.asideOf = '';
      return false;
    }
  }
  if (points.asideOf !== request) return false;
  points.restarts = found.restarts;
  points.aside = found.pieces;
  return true;
}
