import { lineShare, ramp } from './color_maps';
import type { Theme } from './job_colors';

/** The range of values that a ramp of colors covers. */
export interface RampRange {
  readonly low: number;
  readonly high: number;
  /** Whether there are values beyond it, which have the colors of its ends. */
  readonly clipped: boolean;
}

/** Share of the values that a clipped range leaves out on either side. */
export const CLIPPED_SHARE = 0.05;
/** A range this many times as wide as that of most values is clipped: one outlier would leave the
 * others a single color. Of up to 20 values none is left out: the best of few runs must differ. */
const WIDE = 5;

export const NO_VALUE = '#888888';

/** NaN and infinities are missing. */
export function rampRange(values: Iterable<number>): RampRange {
  const sorted = [...values].filter(Number.isFinite).sort((a, b) => a - b);
  const last = sorted.length - 1;
  const at = (rank: number): number => sorted[rank] ?? NaN;
  const whole = { low: at(0), high: at(last), clipped: false };
  const low = at(Math.floor(last * CLIPPED_SHARE));
  const high = at(Math.ceil(last * (1 - CLIPPED_SHARE)));
  const isWide = high > low && whole.high - whole.low > WIDE * (high - low);
  return isWide ? { low, high, clipped: true } : whole;
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
