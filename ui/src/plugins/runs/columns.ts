import { bestOf, betterOf, metricRank, usualMetrics, type Direction } from '@/base/metric_tags';
import { readScalarColumn, sparkTag } from '@/base/scalar_columns';
import { formatAgo, formatBytes, formatCount, formatField } from '@/base/format';
import type { Value } from '@/base/job_query';

export interface JobColumn {
  readonly id: string;
  readonly kind: ColumnKind;
  /** Numbers are right-aligned, and averaged in groups. */
  readonly numeric: boolean;
  /** Which values of a result are better, if known; sorting begins with the best. */
  readonly better: Direction | null;
  readonly width: number;
}

export type ColumnKind = 'own' | 'config' | 'metric' | 'scalar' | 'note';

const OWN_WIDTHS: Readonly<Record<string, number>> = {
  name: 260,
  state: 188,
  updated: 128,
  created: 128,
  formats: 180,
  tags: 64,
  points: 76,
  size: 84,
  problems: 130,
  anomalies: 130,
  severe_anomalies: 130,
  remark: 160,
  notes: 200,
  group: 110,
  mark: 64,
  pinned: 72,
  hidden: 72,
};
const SPARK_WIDTH = 180;
const NUMERIC = new Set([
  'updated',
  'created',
  'tags',
  'points',
  'size',
  'problems',
  'anomalies',
  'severe_anomalies',
]);
const NOT_AVERAGED = new Set([
  'updated',
  'created',
  'user_defined/seed',
  'mark',
  'dataset_mark',
  'problems',
  'anomalies',
  'severe_anomalies',
]);

export function columnOf(id: string, numeric: boolean): JobColumn {
  const kind = kindOf(id);
  const least = sparkTag(id) !== null ? SPARK_WIDTH : numeric ? 104 : 140;
  const width = OWN_WIDTHS[id] ?? widthFor(columnLabel(id), least);
  return {
    id,
    kind,
    better: isResult(id) ? betterOf(readScalarColumn(id)?.tag ?? columnLabel(id)) : null,
    numeric: numeric || NUMERIC.has(id),
    width,
  };
}

/** What a training led to, beside its settings in MindSpore's lineage. */
const LINEAGE_RESULTS: ReadonlySet<string> = new Set(['loss', 'model_size']);

function kindOf(id: string): ColumnKind {
  if (id in OWN_WIDTHS)
    return ['remark', 'notes', 'group', 'mark', 'pinned', 'hidden'].includes(id) ? 'note' : 'own';
  if (id.startsWith('metric/') || LINEAGE_RESULTS.has(id)) return 'metric';
  return id.startsWith('scalar/') || sparkTag(id) !== null ? 'scalar' : 'config';
}

/** Pixels of a letter, and of what else is in a title: the arrow and the menu's button. */
const LETTER = 6.6;
const TITLE_ROOM = 60;
const MOST_WIDTH = 220;

const widthFor = (label: string, least: number): number =>
  Math.min(MOST_WIDTH, Math.max(least, Math.ceil(label.length * LETTER + TITLE_ROOM)));

export const isResult = (id: string): boolean =>
  ['metric', 'scalar'].includes(kindOf(id)) && id !== 'model_size';

export function columnLabel(id: string): string {
  const scalar = readScalarColumn(id);
  if (scalar?.at) return `${scalar.tag} at ${scalar.at}`;
  if (scalar) return `${scalar.tag} ${scalar.statistic.replace('_', ' ')}`;
  return sparkTag(id) ?? id.replace(/^(metric|user_defined)\//, '');
}

export function cellText(id: string, value: Value, now: number, locale: string): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value !== 'number') return String(value);
  switch (id) {
    case 'updated':
    case 'created':
      return formatAgo(now - value, locale);
    case 'points':
      return formatCount(value);
    case 'size':
      return formatBytes(value);
    default:
      return formatField(sparkTag(id) === null ? id : 'scalar/', value);
  }
}

/** Whether it was set before the training; states and numbers of datasets are not. */
export const isConfig = (name: string): boolean =>
  kindOf(name) === 'config' && !['session_status', 'session_group', 'dataset_mark'].includes(name);

const FIRST_METRICS = 3;
const FIRST_RESULTS = 5;
const FIRST_PARAMETERS = 6;

interface Known {
  /** Logged config and metrics. */
  readonly names: readonly string[];
  /** Scalar tags of runs without logged metrics, and the number of those that have each. */
  readonly tags: ReadonlyMap<string, number>;
  readonly differs: (name: string) => boolean;
}

/**
 * Default columns: the run, then results, then the parameters in which runs differ. Runs that logged
 * no metrics are compared by the best values of scalars.
 */
export function usualColumns({ names, tags, differs }: Known): string[] {
  const metrics = names
    .filter((name) => name.startsWith('metric/'))
    .sort((a, b) => metricRank(columnLabel(a)) - metricRank(columnLabel(b)))
    .slice(0, FIRST_METRICS);
  const best = usualMetrics(tags).map((tag) => `scalar/${tag}/${bestOf(tag)}`);
  const rankOf = (id: string): number => metricRank(readScalarColumn(id)?.tag ?? columnLabel(id));
  const results = [...metrics, ...best]
    .slice(0, FIRST_RESULTS)
    .sort((a, b) => rankOf(a) - rankOf(b));
  return [
    'name',
    'state',
    'updated',
    ...results,
    ...names.filter(isConfig).filter(differs).slice(0, FIRST_PARAMETERS),
    'formats',
    'points',
    'size',
    'anomalies',
    'problems',
  ];
}

/** How many runs have each tag; runs that logged the same tags share the list. */
export function tagCounts(lists: Iterable<readonly string[] | undefined>): Map<string, number> {
  const runs = new Map<readonly string[], number>();
  for (const tags of lists) if (tags) runs.set(tags, (runs.get(tags) ?? 0) + 1);
  const counts = new Map<string, number>();
  for (const [tags, count] of runs)
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + count);
  return counts;
}

export const isAveraged = (column: JobColumn): boolean =>
  column.numeric && !NOT_AVERAGED.has(column.id);
