import { lineShare, ramp } from './color_maps';
import type { Theme } from './job_colors';

/** The range of values that a ramp of colors covers. */
export interface RampRange {
  readonly low: number;
  readonly high: number;
  /** Whether there are values beyond it, which have the colors of its ends. */
  readonly clipped: boolean;
}

/** Share of many values that a clipped range leaves out on either side. */
const CLIPPED_SHARE = 0.05;
/** Of fewer values none can be called an outlier. */
const FEW = 8;
const MANY = 21;
/** A range this many times as wide as that of most values is clipped: one outlier would leave the
 * others a single color. */
const WIDE = 5;
/** Interquartile ranges from the middle half of a few values to an outlier. */
const FAR = 3;
/** The part of a range that leads to outliers of a few values: the best of them must differ. */
const BEYOND = 0.25;

export const NO_VALUE = '#888888';

/** NaN and infinities are missing. */
export function rampRange(values: Iterable<number>): RampRange {
  const sorted = [...values].filter(Number.isFinite).sort((a, b) => a - b);
  const whole = { low: sorted[0] ?? NaN, high: sorted.at(-1) ?? NaN, clipped: false };
  const [low, high] = sorted.length < MANY ? insideOf(sorted) : mostOf(sorted);
  const isWide = high > low && whole.high - whole.low > WIDE * (high - low);
  return isWide ? { low, high, clipped: true } : whole;
}

function mostOf(sorted: readonly number[]): [number, number] {
  const last = sorted.length - 1;
  const at = (rank: number): number => sorted[rank] ?? NaN;
  return [at(Math.floor(last * CLIPPED_SHARE)), at(Math.ceil(last * (1 - CLIPPED_SHARE)))];
}

/** The range without outliers, with a place for them at the end. */
function insideOf(sorted: readonly number[]): [number, number] {
  const at = (share: number): number => sorted[Math.round((sorted.length - 1) * share)] ?? NaN;
  const [first, third] = [at(0.25), at(0.75)];
  const reach = FAR * (third - first);
  const inside = sorted.filter((value) => value >= first - reach && value <= third + reach);
  const [low = NaN, high = NaN] = [inside[0], inside.at(-1)];
  if (sorted.length < FEW || reach === 0 || inside.length === sorted.length) return [at(0), at(1)];
  const beyond = BEYOND * (high - low);
  return [at(0) < low ? low - beyond : low, at(1) > high ? high + beyond : high];
}

export function rampColor(value: number, { low, high }: RampRange, theme: Theme): string {
  if (Number.isNaN(value)) return NO_VALUE;
  const share = high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0;
  return `rgb(${ramp(lineShare(share, theme), 'viridis').join(', ')})`;
}

const STOPS = 8;

/** A CSS gradient from the low end to the high end. */
export function rampGradient(theme: Theme): string {
  const range = { low: 0, high: STOPS, clipped: false };
  const stops = Array.from({ length: STOPS + 1 }, (_, i) => rampColor(i, range, theme));
  return `linear-gradient(to right, ${stops.join(', ')})`;
}
