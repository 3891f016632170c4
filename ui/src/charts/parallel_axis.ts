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
/** Room at both ends, as a share of the range: ranges are marked from within the axis. */
const MARGIN = 0.03;

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

export interface AxisTicks {
  /** Places on the axis. */
  readonly at: readonly number[];
  readonly label: (place: number) => string;
}

interface Words {
  readonly ticks: AxisTicks;
  readonly none: string;
}

/** Scale and labels for ECharts. `rich.none` of the style is for missing values. */
export function scaleOf<Style extends object>(
  { categories, none, least, most }: ParallelAxis,
  { ticks, none: noneText }: Words,
  style: Style,
) {
  if (categories) {
    const texts = categories.map((text) => shortened(text.replace(/\s+/g, ' '), LONGEST));
    const formatter = (text: string, index: number): string =>
      index === none ? `{none|${text}}` : text;
    return {
      type: 'category' as const,
      data: [...texts, ...(none === null ? [] : [noneText])],
      axisLabel: { ...style, formatter },
    };
  }
  // A single number is in the middle of its axis; an axis without any is empty.
  const [low, high] = Number.isFinite(least) ? [none ?? least, most] : [0, 0];
  const margin = low === high ? Math.abs(low) / 2 || 1 : MARGIN * (high - low);
  return {
    type: 'value' as const,
    min: low - margin,
    max: high + margin,
    axisLabel: {
      ...style,
      customValues: [...(none === null ? [] : [none]), ...ticks.at],
      formatter: (place: number) => (place === none ? `{none|${noneText}}` : ticks.label(place)),
    },
  };
}
