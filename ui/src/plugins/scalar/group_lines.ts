import type { GroupSeries } from '@/api/scalar_groups';
import type { Line, ValueAxis } from '@/charts/line';

import type { LineStyle } from './lines';
import type { Centre, Spread } from './view_url';

/** A group's line: its mean or median, and around it how far its jobs are apart. */
export function groupLine(
  group: GroupSeries,
  style: LineStyle,
  { xAxis, centre, spread }: { readonly xAxis: ValueAxis; readonly centre: Centre; readonly spread: Spread },
): Line {
  const x = Float64Array.from(group.x);
  const y = column(group[centre]);
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
    count: group.n,
    marks: [],
  };
}

/** Where there is one job alone nothing is known of a deviation: the band has no height there. */
function bandOf(group: GroupSeries, y: Float64Array, spread: Exclude<Spread, 'none'>): { low: Float64Array; high: Float64Array } {
  if (spread === 'range') return { low: column(group.min), high: column(group.max) };
  const half = column(group[spread]).map((value) => (Number.isNaN(value) ? 0 : value));
  return { low: y.map((value, i) => value - (half[i] ?? 0)), high: y.map((value, i) => value + (half[i] ?? 0)) };
}

function column(values: readonly (number | null)[]): Float64Array {
  return Float64Array.from(values, (value) => value ?? NaN);
}

/** Jobs by the text of a field; all in one group where there is none. */
export function groupsOf<Job extends { readonly train_id: string }>(
  jobs: readonly Job[],
  valueOf: ((job: Job) => number | string | boolean | null | undefined) | null,
): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const job of jobs) {
    const name = String(valueOf?.(job) ?? '');
    groups.set(name, [...(groups.get(name) ?? []), job.train_id]);
  }
  return Object.fromEntries(groups);
}
