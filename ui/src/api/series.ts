import { lowerBound } from '@/base/search';

import { getJson } from './client';

export interface Damage {
  readonly row: number;
  readonly step: number;
  readonly detail: string;
}

/** Columns of equal length, oldest first. Pages extend it by their plugin's columns. */
export interface Series {
  readonly plugin_name: string;
  readonly train_id: string;
  readonly tag: string;
  readonly total: number;
  readonly step: readonly number[];
  /** Unix seconds; null if the log has none. */
  readonly wall_time: readonly (number | null)[];
  readonly problems: readonly Damage[];
  readonly details: Readonly<Record<string, unknown>>;
}

/** An update, with what to do with known rows before appending it. */
export type SeriesUpdate<Kind extends Series = Series> = Kind & {
  readonly cursor: string;
  readonly reset?: boolean;
  readonly truncate_from_step?: number | null;
};

/** The route of a plugin's series, or of its files. */
export function seriesRoute(pluginName: string, behind?: 'blob' | 'npy'): string {
  // Encoded twice, so that a slash in a name differs from the path's.
  const name = /[%/]/.test(pluginName) ? encodeURIComponent(pluginName) : pluginName;
  return ['series', encodeURIComponent(name), ...(behind ? [behind] : [])].join('/');
}

/** All steps of one series, with a cursor the new ones, with a sample at most so many. */
export const fetchSeries = <Kind extends Series>(
  pluginName: string,
  trainId: string,
  tag: string,
  since: string | null,
  sample: number | null,
): Promise<SeriesUpdate<Kind>> =>
  getJson(seriesRoute(pluginName), { train_id: trainId, tag, since, sample });

/** Number of steps to request if a series is too large for one answer. */
export const LARGEST_SAMPLE = 512;

export const fewerSteps = (sample: number | null): number =>
  sample === null ? LARGEST_SAMPLE : Math.max(1, Math.floor(sample / 4));

const NO_COLUMNS = new Set(['problems', 'non_finite', 'writers']);

/** A series with its update appended. */
export function appended<Kind extends Series>(
  before: Kind | null,
  update: SeriesUpdate<Kind>,
): Kind {
  if (before === null || update.reset !== false) return update;
  const known = before.step.length;
  const from = update.truncate_from_step ?? null;
  const kept = from === null ? known : lowerBound(before.step, from);
  const joined: Record<string, unknown> = Object.fromEntries(Object.entries(update));
  for (const [name, column] of Object.entries(before)) {
    const more = joined[name];
    if (NO_COLUMNS.has(name) || !Array.isArray(column) || !Array.isArray(more)) continue;
    if (column.length === known)
      joined[name] = [...(column.slice(0, kept) as unknown[]), ...(more as unknown[])];
  }
  joined['problems'] = [...before.problems.filter((one) => one.row < kept), ...update.problems];
  if ('non_finite' in before) joined['non_finite'] = joinedNonFinite(before, update, kept);
  return joined as unknown as Kind;
}

type NonFinite = readonly (readonly [number, string])[];

/** Pairs of index and name; the index counts from the start of each answer. */
function joinedNonFinite(before: Series, update: Series, kept: number): NonFinite {
  const of = (series: Series): NonFinite =>
    (series as Series & { non_finite?: NonFinite }).non_finite ?? [];
  return [
    ...of(before).filter(([index]) => index < kept),
    ...of(update).map(([index, name]) => [index + kept, name] as const),
  ];
}
