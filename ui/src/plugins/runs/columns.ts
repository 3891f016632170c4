import { formatAgo, formatBytes, formatCount, formatField } from '@/base/format';
import type { Value } from '@/base/job_query';

export interface JobColumn {
  readonly id: string;
  readonly kind: ColumnKind;
  /** Numbers are right-aligned, and averaged in groups. */
  readonly numeric: boolean;
  readonly width: number;
}

export type ColumnKind = 'own' | 'config' | 'metric' | 'scalar' | 'note';

const OWN_WIDTHS: Readonly<Record<string, number>> = {
  name: 260,
  state: 152,
  updated: 108,
  created: 108,
  formats: 180,
  tags: 64,
  points: 76,
  size: 84,
  problems: 130,
  remark: 160,
  notes: 200,
  group: 110,
  mark: 64,
  pinned: 72,
  hidden: 72,
};
const NOT_AVERAGED = new Set([
  'updated',
  'created',
  'user_defined/seed',
  'mark',
  'dataset_mark',
  'problems',
]);

export function columnOf(id: string, numeric: boolean): JobColumn {
  const kind = kindOf(id);
  const width = OWN_WIDTHS[id] ?? (numeric ? 104 : 140);
  return {
    id,
    kind,
    numeric: numeric || ['updated', 'created', 'tags', 'points', 'size', 'problems'].includes(id),
    width,
  };
}

function kindOf(id: string): ColumnKind {
  if (id in OWN_WIDTHS)
    return ['remark', 'notes', 'group', 'mark', 'pinned', 'hidden'].includes(id) ? 'note' : 'own';
  if (id.startsWith('metric/')) return 'metric';
  return id.startsWith('scalar/') ? 'scalar' : 'config';
}

export function columnLabel(id: string): string {
  const scalar = /^scalar\/(.*)\/(last|min|max|min_step|max_step)$/.exec(id);
  if (scalar) return `${scalar[1] ?? ''} ${(scalar[2] ?? '').replace('_', ' ')}`;
  return id.replace(/^(metric|user_defined)\//, '');
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
      return formatField(id, value);
  }
}

/** Whether it was set before the training; states and numbers of datasets are not. */
export const isConfig = (name: string): boolean =>
  kindOf(name) === 'config' && name !== 'session_status' && name !== 'dataset_mark';

const FIRST_METRICS = 3;
const FIRST_PARAMETERS = 6;

/** Default columns: the run, then results, then the parameters in which runs differ. */
export function usualColumns(
  names: readonly string[],
  differs: (name: string) => boolean,
): string[] {
  const metrics = names.filter((name) => name.startsWith('metric/')).slice(0, FIRST_METRICS);
  const parameters = names.filter(isConfig).filter(differs).slice(0, FIRST_PARAMETERS);
  return [
    'name',
    'state',
    'updated',
    ...metrics,
    ...parameters,
    'formats',
    'points',
    'size',
    'problems',
  ];
}

export const isAveraged = (column: JobColumn): boolean =>
  column.numeric && !NOT_AVERAGED.has(column.id);
