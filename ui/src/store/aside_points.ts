import { ApiError } from '@/api/client';
import type { AsidePiece, SetAside } from '@/api/restarts';
import type { ScalarSeries } from '@/api/scalars';

/** What lies beside the points of a series that count. */
export interface AsidePoints {
  /** Steps at which the job was restarted. */
  restarts: readonly number[];
  /** The points that do not count. */
  aside: readonly AsidePiece[];
  /** What of the series these two are of; empty: nothing was asked. */
  asideOf: string;
}

export type FetchAside = (trainId: string, tag: string) => Promise<SetAside>;

export function noAside(): AsidePoints {
  return { restarts: [], aside: [], asideOf: '' };
}

/**
 * Ask again if the series says that these points may be others; whether they are. They are rare
 * enough to be asked for one series at a time, and a failed question only leaves the marks out.
 */
export async function followAside(
  points: AsidePoints,
  series: ScalarSeries,
  fetch: FetchAside,
): Promise<boolean> {
  const writers = series.writers?.length ?? 1;
  // Nothing says when another writer's points grow, but it writes along with this one.
  const asked =
    series.superseded === 0 && writers < 2
      ? ''
      : `${series.superseded} ${writers > 1 ? series.total : ''}`;
  if (asked === points.asideOf) return false;
  points.asideOf = asked;
  let found: SetAside = { restarts: [], pieces: [] };
  if (asked !== '') {
    try {
      found = await fetch(series.train_id, series.tag);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      if (points.asideOf === asked) points.asideOf = '';
      return false;
    }
  }
  // A later question was asked meanwhile.
  if (points.asideOf !== asked) return false;
  points.restarts = found.restarts;
  points.aside = found.pieces;
  return true;
}
