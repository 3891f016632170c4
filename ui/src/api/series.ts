import { lowerBound } from '@/base/search';

import { getJson } from './client';

/** A value that is damaged: its entries in the columns are null. */
export interface Damage {
  readonly row: number;
  readonly step: number;
  readonly detail: string;
}

/**
 * One series as its plugin shows it: columns of equal length, oldest first. A page extends this by
 * the columns of its plugin, which `docs/rest-reference.md` lists.
 */
export interface Series {
  readonly plugin_name: string;
  readonly train_id: string;
  /** As logged. */
  readonly tag: string;
  readonly total: number;
  readonly step: readonly number[];
  /** Unix seconds; null where the log has none. */
  readonly wall_time: readonly (number | null)[];
  readonly problems: readonly Damage[];
  /** What concerns the series as a whole. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** An answer, with what to do with the rows one has before appending it. */
export type SeriesUpdate<Kind extends Series = Series> = Kind & {
  readonly cursor: string;
  readonly reset?: boolean;
  readonly truncate_from_step?: number | null;
};

/** The route of a plugin's series, or the one that stands behind it. */
export function seriesRoute(pluginName: string, behind?: 'blob' | 'npy'): string {
  // Encoded twice, a slash in a name is told from the one before the word behind it.
  const name = /[%/]/.test(pluginName) ? encodeURIComponent(pluginName) : pluginName;
  return ['series', encodeURIComponent(name), ...(behind ? [behind] : [])].join('/');
}

/** Every step of one series, or, with a cursor, what is new in it; with a sample, at most so many. */
export function fetchSeries<Kind extends Series>(
  pluginName: string,
  trainId: string,
  tag: string,
  since: string | null,
  sample: number | null,
): Promise<SeriesUpdate<Kind>> {
  return getJson(seriesRoute(pluginName), { train_id: trainId, tag, since, sample });
}

/** Of a series that is too large for one answer so many steps are asked for, and of those fewer and fewer. */
export const LARGEST_SAMPLE = 512;

/** How many steps to ask for where so many, or with null all, were too large for one answer; never less than one. */
export function fewerSteps(sample: number | null): number {
  return sample === null ? LARGEST_SAMPLE : Math.max(1, Math.floor(sample / 4));
}

/** Lists that are no columns: they may be as long as these by chance. */
const NO_COLUMNS = new Set(['problems', 'non_finite', 'writers']);

/** The series as it is now that this came behind what was known. */
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

/** `[index, name]`, counted from the beginning of each answer. */
function joinedNonFinite(before: Series, update: Series, kept: number): NonFinite {
  const of = (series: Series): NonFinite =>
    (series as Series & { non_finite?: NonFinite }).non_finite ?? [];
  return [
    ...of(before).filter(([index]) => index < kept),
    ...of(update).map(([index, name]) => [index + kept, name] as const),
  ];
}
