import { formatStep, formatValue, formatWhole } from '@/base/format';

import type { MissingSteps, ParityNumber, SeriesParity, TagParity } from './api';

/** A tag of a comparison, as texts. Empty texts: nothing to show. */
export interface ParityRow {
  readonly key: string;
  /** The server plugin. */
  readonly plugin: string;
  /** Both names if they differ. */
  readonly name: string;
  readonly status: TagParity['status'];
  /** The first step that differs. */
  readonly step: string;
  /** `[0, 3]`: the first element of an array that differs. */
  readonly element: string;
  /** The values at that step; null in the run that lacks it. */
  readonly a: string | null;
  readonly b: string | null;
  readonly absolute: string;
  readonly absoluteStep: string;
  readonly relative: string;
  readonly relativeStep: string;
  /** `3 / 1,000`: of the common steps. */
  readonly different: string;
  readonly missingA: string;
  readonly missingB: string;
  /** Number of steps whose values could not be compared. */
  readonly uncompared: string;
  /** Tags and steps of a chart of the first difference; null if there is none. */
  readonly place: { readonly tags: readonly string[]; readonly window: readonly number[] } | null;
}

export function parityRow({ plugin_name, tag, tag_b, status, series }: TagParity): ParityRow {
  const first = series && firstStep(series.first?.step, series.missing_a, series.missing_b);
  const [a, b] = series ? valuesAt(first, series) : ['', ''];
  return {
    key: JSON.stringify([plugin_name, status, tag]),
    plugin: plugin_name,
    name: tag === tag_b ? tag : `${tag} → ${tag_b}`,
    status,
    step: first === null ? '' : formatStep(first),
    element: first !== null && first === series?.first?.step ? elementText(series.first.index) : '',
    a,
    b,
    absolute: series?.largest_absolute ? sizeText(series.largest_absolute.size) : '',
    absoluteStep: series?.largest_absolute ? formatStep(series.largest_absolute.step) : '',
    relative: series?.largest_relative ? sizeText(series.largest_relative.size) : '',
    relativeStep: series?.largest_relative ? formatStep(series.largest_relative.step) : '',
    different: series
      ? `${formatWhole(series.different_steps)} / ${formatWhole(series.common_steps)}`
      : '',
    missingA: series ? missingText(series.missing_a) : '',
    missingB: series ? missingText(series.missing_b) : '',
    uncompared: series?.uncompared_steps ? formatWhole(series.uncompared_steps) : '',
    place: series?.window ? { tags: [...new Set([tag, tag_b])], window: series.window } : null,
  };
}

const elementText = (index: readonly number[]): string =>
  index.length === 0 ? '' : `[${index.join(', ')}]`;

const sizeText = (size: ParityNumber): string => formatValue(Number(size), 3);

function firstStep(
  different: number | undefined,
  { ranges: a }: MissingSteps,
  { ranges: b }: MissingSteps,
): number | null {
  const steps = [different, a[0]?.[0], b[0]?.[0]].filter((step) => step !== undefined);
  return steps.length === 0 ? null : Math.min(...steps);
}

function valuesAt(
  step: number | null,
  { first, missing_a: lackedByA, missing_b: lackedByB }: SeriesParity,
): [string | null, string | null] {
  if (step === null) return ['', ''];
  if (step === first?.step) return exactPair(first.a, first.b);
  const lacks = ({ ranges }: MissingSteps): string | null => (ranges[0]?.[0] === step ? null : '');
  return [lacks(lackedByA), lacks(lackedByB)];
}

function missingText({ count, ranges }: MissingSteps): string {
  if (count === 0) return '';
  const shown = ranges.slice(0, 2).map((range) => [...new Set(range)].map(formatStep).join('–'));
  if (ranges.length > shown.length) shown.push('…');
  return `${formatWhole(count)} (${shown.join(', ')})`;
}

const NON_FINITE: readonly unknown[] = ['NaN', 'Infinity', '-Infinity'];

const isNumber = (value: unknown): value is ParityNumber =>
  typeof value === 'number' || NON_FINITE.includes(value);

/** Both values, numbers with enough digits to tell them apart. */
export function exactPair(a: number | string, b: number | string): [string, string] {
  if (!isNumber(a) || !isNumber(b)) return [String(a), String(b)];
  const [left, right] = [exactText(Number(a)), exactText(Number(b))];
  return left === right ? [allDigits(Number(a)), allDigits(Number(b))] : [left, right];
}

const FLOAT64_DIGITS = 17;
const allDigits = (value: number): string => formatValue(value, FLOAT64_DIGITS);

/** The shortest decimal of a value, as a float32 if it is one: `0.1`, not `0.10000000149011612`. */
export function exactText(value: number): string {
  if (Math.fround(value) !== value) return allDigits(value);
  for (let digits = 1; digits < 9; digits++)
    if (Math.fround(Number(value.toPrecision(digits))) === value) return formatValue(value, digits);
  return formatValue(value, 9);
}

export const TOLERANCE = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** The rules of a text, a rule per line. */
export const rulesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
