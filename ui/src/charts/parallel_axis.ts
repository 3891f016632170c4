import { shortened } from '@/base/shorten';

/**
 * Axes of parallel coordinates for values of which some are missing. ECharts leaves those out and joins the axes
 * beside them, as if there were a value between: here they have a place of their own, below all numbers and above all
 * categories.
 */
export interface ParallelAxis {
  /** Texts of an axis of categories, from below; null: one of numbers. The last ones stand on top. */
  readonly categories: readonly string[] | null;
  /** Where lines without a value run; null: all have one. */
  readonly none: number | null;
  /** The least of the numbers; NaN of categories. */
  readonly least: number;
  /** The largest. */
  readonly most: number;
}

/** Characters of a category: longer ones would lie over other axes. */
const LONGEST = 14;
/** How far below the least number that place is, as a share of their span. */
const BELOW = 0.14;

/** `places` are numbers, or indices of categories; NaN: there is no value. */
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
  /** Of a number, or a category. */
  readonly label: (value: number | string) => string;
  /** Of the place without a value. */
  readonly none: string;
  /** Whether all numbers are whole. */
  readonly whole: boolean;
}

/**
 * The scale of an axis and its labels, as ECharts wants them; `style` is that of the labels, and its `rich.none` that of
 * the place without a value: lines run through it.
 */
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
    // Between the place of none and the least number are no numbers to be read.
    return value - none < (least - none) * 1e-6 ? `{none|${noneText}}` : '';
  };
  // Above a single number there would be no round one to end the axis with.
  const bounds = none === null ? {} : least === most ? { min: none, max: most } : { min: none };
  return {
    type: 'value' as const,
    scale: true,
    minInterval: whole ? 1 : 0,
    ...bounds,
    axisLabel: { ...style, formatter },
  };
}
