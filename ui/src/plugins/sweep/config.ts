import type { Value } from '@/base/job_query';
import { betterOf, metricRank } from '@/base/metric_tags';
import { naturalOrder } from '@/base/natural_order';

/** Fields that are neither config nor results. */
const ASIDE = new Set(['session_status', 'session_group', 'dataset_mark']);

export const isResult = (field: string): boolean =>
  /^(metric|scalar)\//.test(field) || field === 'loss' || field === 'model_size';

export const parametersIn = (names: readonly string[]): string[] =>
  names.filter((name) => !isResult(name) && !ASIDE.has(name));

const SERIES = /^scalar\/(.*)\/(last|min|max|min_step|max_step)$/;

/** The name of a metric, without what it is of a series. */
export const metricName = (field: string): string =>
  field.replace(/^metric\//, '').replace(SERIES, '$1');

/** For sorting results: scores before losses, each with validation before training; then others. */
export function resultRank(field: string): number {
  const name = metricName(field);
  const kinds = { higher: 0, lower: 10 };
  const better = betterOf(name);
  return (better === null ? 20 : kinds[better]) + metricRank(name);
}

/** The best known metrics first. */
export const resultsIn = (names: readonly string[]): string[] =>
  names.filter(isResult).sort((a, b) => resultRank(a) - resultRank(b) || naturalOrder(a, b));

export const isThere = (value: Value): value is NonNullable<Value> =>
  value !== null && value !== undefined && !Number.isNaN(value);

export const hasValues = (values: readonly Value[]): boolean => values.some(isThere);

/** Whether runs differ in a parameter; one that only some of them have differs. */
export const differs = (values: readonly Value[]): boolean =>
  hasValues(values) && values.some((value) => !Object.is(value ?? null, values[0] ?? null));

/** Whether there are two different values. */
export function varies(values: readonly Value[]): boolean {
  const first = values.find(isThere);
  return values.some((value) => isThere(value) && value !== first);
}

/** With fewer runs, texts may differ in all of them by chance; with more, a few may be equal. */
const FEWEST = 6;
const MANY = 10;

/** Whether texts name runs instead of configuring them; `mindviz/lineagemgr/importance.py` agrees. */
export function isIdentifier(values: readonly Value[]): boolean {
  const there = values.filter(isThere);
  if (there.length < FEWEST || there.every((value) => typeof value === 'number')) return false;
  const { size } = new Set(there);
  return there.length < MANY ? size === there.length : size > there.length / 2;
}

/** The fields that most runs have a value of, in the given order. */
export function mostKnown(
  fields: readonly string[],
  valuesOf: (field: string) => readonly Value[],
  most: number,
): string[] {
  if (fields.length <= most) return [...fields];
  const count = new Map(fields.map((field) => [field, valuesOf(field).filter(isThere).length]));
  const first = new Set(
    [...fields].sort((a, b) => (count.get(b) ?? 0) - (count.get(a) ?? 0)).slice(0, most),
  );
  return fields.filter((field) => first.has(field));
}
