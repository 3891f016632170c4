import type { LabelColumn } from './api';
import { ramp } from '@/base/color_maps';
import type { Theme } from '@/base/job_colors';
import { naturalOrder } from '@/base/natural_order';

/** Distinct on the panel of their theme. */
const HUES: Readonly<Record<Theme, readonly string[]>> = {
  light: [
    ...['#4168cf', '#c28b00', '#f46853', '#38a49a', '#309d46', '#e16f9c', '#a463f2', '#7296cd'],
    ...['#9d6b4e', '#8a3a6b', '#5f7d00', '#0091b8', '#b3261e', '#6a51a3', '#d55e00', '#008264'],
    ...['#c2409a', '#7a5c00', '#3b7f9e', '#9467bd', '#a8522a', '#2f6b2f', '#cc79a7', '#23408f'],
  ],
  dark: [
    ...['#3f83f0', '#f2b91a', '#f0683f', '#70e6d0', '#66cc6e', '#d86090', '#b66edd', '#a8c6ff'],
    ...['#b98a5e', '#ff9ecb', '#c6e04b', '#33c3f0', '#ff5c5c', '#9f8cff', '#ffa14a', '#2fb890'],
    ...['#ff7be0', '#d9a441', '#7fb4d8', '#c9a0ff', '#d08862', '#8fd88f', '#f2b6d8', '#8ea2f5'],
  ],
};
/** Of values without a hue. */
const NEUTRAL: Readonly<Record<Theme, string>> = { light: '#b9bac0', dark: '#5d6068' };
/** Up to so many different numbers are categories, such as classes. */
const MOST_CLASSES = 12;
/** The ratio of the ends from which skewed numbers are on a logarithmic scale. */
const DECADES = 30;
const MAP = 'viridis';

export interface LegendRow {
  /** Null: all values without a hue. */
  readonly value: string | null;
  readonly color: string;
  readonly count: number;
  /** Number of different values. */
  readonly values: number;
}

/** The range of a column of numbers; values beyond it have the colors of its ends. */
export interface ColorRange {
  readonly low: number;
  readonly high: number;
  readonly isLog: boolean;
  /** CSS colors of the bar, from low to high. */
  readonly stops: readonly string[];
}

/** Colors by label: the most frequent labels, then neutral gray; numbers by a ramp. */
export interface ColoredPoints {
  readonly colors: Uint8Array;
  readonly legend: readonly LegendRow[];
  readonly range: ColorRange | null;
  /** Points of a legend row. */
  readonly pointsOf: (value: string | null) => Set<number>;
}

/** Colors are `#rrggbb`. Without a column all points are `plain`. */
export function colorPoints(
  column: LabelColumn | null,
  count: number,
  theme: Theme,
  plain: string,
): ColoredPoints {
  if (!column)
    return {
      colors: painted(count, () => plain),
      legend: [],
      range: null,
      pointsOf: () => new Set(),
    };
  const numbers = numbersOf(column);
  return numbers ? byNumber(column, numbers, count, theme) : byValue(column, count, theme);
}

function byValue({ values, codes }: LabelColumn, count: number, theme: Theme): ColoredPoints {
  const counts = new Uint32Array(values.length);
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  const hues = HUES[theme];
  const neutral = NEUTRAL[theme];
  // A single value left over keeps its name.
  const most = values.length === hues.length + 1 ? values.length : hues.length;
  const ranked = mostFrequent(values, counts, most);
  const byCode = new Map(ranked.map((code, i) => [code, hues[i] ?? neutral]));
  const legend: LegendRow[] = ranked.map((code) => ({
    value: values[code] ?? '',
    color: byCode.get(code) ?? neutral,
    count: counts[code] ?? 0,
    values: 1,
  }));
  const others = values.length - ranked.length;
  if (others > 0) {
    const rest = legend.reduce((sum, row) => sum - row.count, count);
    legend.push({ value: null, color: neutral, count: rest, values: others });
  }
  return {
    colors: painted(count, (i) => byCode.get(codes[i] ?? -1) ?? neutral),
    legend,
    range: null,
    pointsOf: (value) => {
      const wanted = value === null ? null : values.indexOf(value);
      const points = new Set<number>();
      codes.forEach((code, i) => {
        if (wanted === null ? !byCode.has(code) : code === wanted) points.add(i);
      });
      return points;
    },
  };
}

/** The values as numbers; null: some are none, or they are few enough to be classes. */
function numbersOf({ values }: LabelColumn): Float64Array | null {
  if (values.length <= MOST_CLASSES) return null;
  const numbers = Float64Array.from(values, (text) => (text.trim() === '' ? NaN : Number(text)));
  return values.every((text, i) => text.trim() === '' || Number.isFinite(numbers[i]))
    ? numbers
    : null;
}

function byNumber(
  { codes }: LabelColumn,
  numbers: Float64Array,
  count: number,
  theme: Theme,
): ColoredPoints {
  const sorted = Float64Array.from(codes, (code) => numbers[code] ?? NaN)
    .filter((value) => !Number.isNaN(value))
    .sort();
  // A few extremes would leave one color to all others.
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? NaN;
  const [low, high] = [at(0.01), at(0.99)];
  // Frequencies span decades: linearly, nearly all would have the color of the lowest.
  const isLog = low > 0 && high / low >= DECADES && at(0.5) < low + (high - low) / 10;
  const scaled = isLog ? (value: number): number => Math.log(Math.max(value, low)) : Number;
  const share = (value: number): number =>
    high > low ? (scaled(value) - scaled(low)) / (scaled(high) - scaled(low)) : 0.5;
  const byCode = Array.from(numbers, (value) =>
    Number.isNaN(value) ? NEUTRAL[theme] : hex(share(value)),
  );
  return {
    colors: painted(count, (i) => byCode[codes[i] ?? -1] ?? NEUTRAL[theme]),
    legend: [],
    range: { low, high, isLog, stops: [0, 0.25, 0.5, 0.75, 1].map(hex) },
    pointsOf: () => new Set(),
  };
}

const hex = (share: number): string =>
  `#${ramp(share, MAP)
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')}`;
/** Codes of values, most frequent first, then in natural order. */
function mostFrequent(values: readonly string[], counts: Uint32Array, most: number): number[] {
  const before = (a: number, b: number): boolean => {
    const [n, m] = [counts[a] ?? 0, counts[b] ?? 0];
    return n === m ? naturalOrder(values[a] ?? '', values[b] ?? '') < 0 : n > m;
  };
  // Selects a few of possibly a million values without sorting all.
  const found: number[] = [];
  for (let code = 0; code < values.length; code++) {
    const last = found.at(-1);
    if (found.length === most && last !== undefined && !before(code, last)) continue;
    let at = found.length;
    while (at > 0 && before(code, found[at - 1] ?? -1)) at--;
    found.splice(at, 0, code);
    if (found.length > most) found.pop();
  }
  return found;
}

function painted(count: number, colorOf: (index: number) => string): Uint8Array {
  const known = new Map<string, number>();
  const channels = new Uint8Array(3 * count);
  for (let i = 0; i < count; i++) {
    const color = colorOf(i);
    let value = known.get(color);
    if (value === undefined) known.set(color, (value = parseInt(color.slice(1), 16)));
    channels[3 * i] = value >> 16;
    channels[3 * i + 1] = (value >> 8) & 255;
    channels[3 * i + 2] = value & 255;
  }
  return channels;
}

/** The column with the fewest distinct values, but more than one; -1: all are unique. */
export function groupingColumn(labels: readonly LabelColumn[], count: number): number {
  let best = -1;
  let fewest = Math.max(2, count);
  labels.forEach(({ values }, column) => {
    if (values.length > 1 && values.length < fewest) [best, fewest] = [column, values.length];
  });
  return best;
}
