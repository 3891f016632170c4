import type { GroupSeries } from '@/api/scalar_groups';
import { addTo } from '@/base/grouped';
import { lowerBound } from '@/base/search';
import type { Line, Mark, ValueAxis } from '@/charts/line';

import type { LineStyle } from './lines';
import type { Centre, Spread } from './view_url';

/** If fewer than this part of the runs begin or end at a point, the line is not broken there. */
const LEAST_BREAK = 0.1;

export interface GroupOptions {
  readonly xAxis: ValueAxis;
  readonly centre: Centre;
  readonly spread: Spread;
  /** About runs that begin or end after `from`, `to` being the first point without or with them. */
  readonly countLabel: (n: number, change: number, from: number, to: number) => string;
}

/** Grid points of all groups of a chart, and of one. */
const BUDGET = 20_000;
const GRID = { least: 100, most: 500 };

/** Points of each of `groups` groups. */
export const gridPoints = (groups: number): number =>
  Math.min(GRID.most, Math.max(GRID.least, Math.floor(BUDGET / groups)));

/** The mean or median of a group, with a band of its spread. */
export function groupLine(
  group: GroupSeries,
  style: LineStyle,
  { xAxis, centre, spread, countLabel }: GroupOptions,
): Line {
  const { x, n } = group;
  const y = group[centre];
  const none = new Float64Array(x.length).fill(NaN);
  return {
    ...style,
    x,
    y,
    raw: null,
    step: xAxis === 'step' ? x : none,
    wallTime: xAxis === 'step' ? none : x,
    origin: 0,
    band: spread === 'none' ? null : { x, ...bandOf(group, y, spread) },
    count: n,
    ...((spread === 'std' || spread === 'confidence') && { deviation: group[spread] }),
    breaks: changesOf(n, group.series).flatMap(({ at, from, to }) =>
      at > 0 && Math.abs(to - from) >= LEAST_BREAK * Math.max(from, to) ? [at] : [],
    ),
    marks: changesOf(withOpenEnds(group), group.series).map(({ at, from, to }): Mark => ({
      x: x[at] ?? NaN,
      kind: to < from ? 'fewer' : 'more',
      note: `n=${n[at]}`,
      get label() {
        return countLabel(n[at] ?? NaN, to - from, x[at - 1] ?? -Infinity, x[at] ?? NaN);
      },
    })),
  };
}

/** The numbers of runs, as if those that may log more had values up to the end. */
function withOpenEnds({ x, n, open_ends: ends }: GroupSeries): Float64Array {
  return n.map((count, at) => count + lowerBound(ends, x[at] ?? NaN));
}

/** Where the number of runs changes: the line jumps although no run does. */
function changesOf(counts: Float64Array, all: number): { at: number; from: number; to: number }[] {
  return Array.from(counts, (to, at) => ({ at, from: counts[at - 1] ?? all, to })).filter(
    ({ from, to }) => from !== to,
  );
}

/** A single run has no deviation: its band has no height. */
function bandOf(
  group: GroupSeries,
  y: Float64Array,
  spread: Exclude<Spread, 'none'>,
): { low: Float64Array; high: Float64Array } {
  if (spread === 'range') return { low: group.min, high: group.max };
  const half = group[spread].map((value) => (Number.isNaN(value) ? 0 : value));
  return {
    low: y.map((value, i) => value - (half[i] ?? 0)),
    high: y.map((value, i) => value + (half[i] ?? 0)),
  };
}

/** Runs by the name of their group. */
export function groupsOf<Job extends { readonly train_id: string }>(
  jobs: readonly Job[],
  nameOf: (job: Job) => string,
): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const job of jobs) addTo(groups, nameOf(job), job.train_id);
  return Object.fromEntries(groups);
}
