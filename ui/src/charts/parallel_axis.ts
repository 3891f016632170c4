import { shortened } from '@/base/shorten';

/** ECharts would join the neighbors of a missing value, so missing values get a place. */
export interface ParallelAxis {
  readonly categories: readonly string[] | null;
  /** The place of missing values; null: none is missing. */
  readonly none: number | null;
  readonly least: number;
  readonly most: number;
}

const LONGEST = 14;
/** Distance below the least number, as a share of the range. */
const BELOW = 0.14;

/** `places` are numbers or indices of categories; NaN: missing. */
export function parallelAxis(
  places: Iterable<number>,
  categories: readonly string[] | null,
): ParallelAxis {
  let [least, most, missing] = [Infinity, -Infinity, false];
  for (const place of places) {
    if (Number.isNaN(place)) missing = true;
    else [least, most] = [Math.min(least, place), Math.max(most, place)];
  }
  if (categories)
    return { categories, none: missing ? categories.length : null, least: NaN, most: NaN };
  const span = most > least ? most - least : Math.abs(least) || 1;
  return {
    categories: null,
    none: missing && Number.isFinite(least) ? least - BELOW * span : null,
    least,
    most,
  };
}

interface Words {
  readonly label: (value: number | string) => string;
  readonly none: string;
  readonly whole: boolean;
}

/** Scale and labels for ECharts. `rich.none` of the style is for missing values. */
export function scaleOf<Style extends object>(
  { categories, none, least, most }: ParallelAxis,
  { label, none: noneText, whole }: Words,
  style: Style,
) {
  if (categories) {
    const texts = categories.map((text) => shortened(label(text).replace(/\s+/g, ' '), LONGEST));
    const formatter = (text: string, index: number): string =>
      index === none ? `{none|${text}}` : text;
    return {
      type: 'category' as const,
      data: [...texts, ...(none === null ? [] : [noneText])],
      axisLabel: { ...style, formatter },
    };
  }
  const formatter = (value: number): string => {
    if (none === null || value >= least) return label(value);
    return value - none < (least - none) * 1e-6 ? `{none|${noneText}}` : '';
  };
  // A single number has no round number above it.
  const bounds = none === null ? {} : least === most ? { min: none, max: most } : { min: none };
  return {
    type: 'value' as const,
    scale: true,
    minInterval: whole ? 1 : 0,
    ...bounds,
    axisLabel: { ...style, formatter },
  };
}
