import type { GroupSeries } from '@/api/scalar_groups';
import { addTo } from '@/base/grouped';
import type { Line, ValueAxis } from '@/charts/line';

import type { LineStyle } from './lines';
import type { Centre, Spread } from './view_url';

/** The mean or median of a group, with a band of its spread. */
export function groupLine(
  group: GroupSeries,
  style: LineStyle,
  {
    xAxis,
    centre,
    spread,
  }: { readonly xAxis: ValueAxis; readonly centre: Centre; readonly spread: Spread },
): Line {
  const { x } = group;
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
    count: group.n,
    ...((spread === 'std' || spread === 'confidence') && { deviation: group[spread] }),
    marks: [],
  };
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
