import { bestOf } from './metric_tags';

const SPARK = 'spark/';
const STATISTIC = /\/(last|min|max|min_step|max_step|at_(min|max):([^/]*))$/;

export interface ScalarColumn {
  readonly tag: string;
  readonly statistic: string;
  /** The values are those at the step where this is best: `max val/acc`. */
  readonly at: string | null;
}

/** Whether a column, without its prefix, ends with a statistic. */
export const isStatistic = (id: string): boolean => STATISTIC.test(id);
export const withoutStatistic = (id: string): string => id.replace(STATISTIC, '');

/** The tag and statistic of a column `scalar/<tag>/<statistic>`; see docs/lineage.md. */
export function readScalarColumn(id: string): ScalarColumn | null {
  const found = id.startsWith('scalar/') ? STATISTIC.exec(id) : null;
  if (!found) return null;
  const [whole, statistic = '', which, other = ''] = found;
  const tag = id.slice('scalar/'.length, id.length - whole.length);
  return { tag, statistic, at: which === undefined ? null : `${which} ${decoded(other)}` };
}

/** The values of a tag at the step where another is best. */
export const atBestColumn = (tag: string, other: string): string =>
  `scalar/${tag}/at_${bestOf(other)}:${encodeURIComponent(other)}`;

/** The last value of a tag, with its curve. */
export const sparkColumn = (tag: string): string => SPARK + tag;

export const sparkTag = (id: string): string | null =>
  id.startsWith(SPARK) ? id.slice(SPARK.length) : null;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Typed into the URL.
    return text;
  }
}
