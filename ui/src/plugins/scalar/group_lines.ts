import type { GroupSeries } from '@/api/scalar_groups';
import { addTo } from '@/base/grouped';
import type { Value } from '@/base/job_query';
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

/** In the URL: grouped by all settings except this one. */
const ALL_BUT = '*-';

export const allBut = (field: string): string => ALL_BUT + field;

/** The field that may differ within a group; null: grouped otherwise. */
export const fieldLeftOut = (group: string): string | null =>
  group.startsWith(ALL_BUT) ? group.slice(ALL_BUT.length) : null;

const SETTINGS = [
  'network',
  'optimizer',
  'learning_rate',
  'epoch',
  'batch_size',
  'loss_function',
  'device_num',
  'dataset_mark',
];

export const isSetting = (name: string): boolean =>
  SETTINGS.includes(name) || name.startsWith('user_defined/');

/** Names a run by all settings but one, if these runs differ in them. */
export function settingsBut<Job>(
  leftOut: string,
  names: readonly string[],
  jobs: readonly Job[],
  getter: (name: string) => (job: Job) => Value,
  short: (name: string) => string,
): (job: Job) => string {
  const columnOf = (get: (job: Job) => Value): string =>
    JSON.stringify(jobs.map((job) => get(job) ?? null));
  // A setting can have two names, such as `lr` and `learning_rate`.
  const known = new Set([columnOf(getter(leftOut)), columnOf(() => null)]);
  const told = names.filter(isSetting).flatMap((name) => {
    const get = getter(name);
    const column = columnOf(get);
    if (known.has(column) || new Set(jobs.map(get)).size < 2) return [];
    known.add(column);
    return [{ name: short(name), get }];
  });
  return (job) => told.map(({ name, get }) => `${name} ${String(get(job) ?? '–')}`).join(', ');
}

/** Runs by the text of a field; one group without a field. */
export function groupsOf<Job extends { readonly train_id: string }>(
  jobs: readonly Job[],
  valueOf: ((job: Job) => number | string | boolean | null | undefined) | null,
): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const job of jobs) {
    const name = String(valueOf?.(job) ?? '');
    addTo(groups, name, job.train_id);
  }
  return Object.fromEntries(groups);
}
