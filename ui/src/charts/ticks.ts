import type { Range } from './line';

/** The increment decides how many digits a label needs. */
export interface Ticks {
  readonly at: number[];
  readonly increment: number;
}

/** `whole`: only at integers. */
export function linearTicks([low, high]: Range, most: number, whole = false): Ticks {
  const span = high - low;
  const rough = span / Math.max(1, most - 1);
  const decade = 10 ** Math.floor(Math.log10(rough));
  for (const factor of [1, 2, 2.5, 5, 10, 20]) {
    const increment = decade * factor;
    if (whole && !Number.isInteger(increment)) continue;
    const at = multiples(low, high, increment);
    if (at.length <= most) return { at, increment };
  }
  return { at: [low, high], increment: span };
}

function multiples(low: number, high: number, increment: number): number[] {
  const at: number[] = [];
  // Tolerance: 0.1 + 0.2 must still be a tick at 0.3.
  const first = Math.ceil(low / increment - 1e-9) + 0; // never -0
  const last = Math.floor(high / increment + 1e-9);
  // Beyond the safe integers adding one changes nothing: the loop would not end.
  if (!(last - first < 1000) || !Number.isSafeInteger(first) || !Number.isSafeInteger(last))
    return at;
  for (let i = first; i <= last; i++) {
    // Dividing by the reciprocal keeps 3 * 0.1 at 0.3.
    at.push(increment < 1 ? i / Math.round(1 / increment) || i * increment : i * increment);
  }
  return at;
}

export const spansDecades = ([low, high]: Range): boolean =>
  Math.log10(high) - Math.log10(low) >= 0.8;

export function logTicks([low, high]: Range, most: number): Ticks {
  if (!spansDecades([low, high])) {
    const { at, increment } = linearTicks([low, high], most);
    return { at: at.filter((tick) => tick > 0), increment };
  }
  const powers = logMultiples(low, high, [1]);
  if (powers.length < 2) {
    for (const factors of [
      [1, 2, 5],
      [1, 3],
    ]) {
      const at = logMultiples(low, high, factors);
      if (at.length <= most) return { at, increment: at[0] ?? low };
    }
  }
  const every = Math.ceil(powers.length / most);
  const at = powers.filter((_, i) => (powers.length - 1 - i) % every === 0);
  return { at, increment: at[0] ?? low };
}

function logMultiples(low: number, high: number, factors: readonly number[]): number[] {
  const at: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const factor of factors) {
      const tick = factor * 10 ** power;
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) at.push(tick);
    }
  }
  return at;
}

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 5, 10, 30, 90, 365].map((days) => days * DAY),
];

export const durationTicks = (range: Range, most: number): Ticks => timeTicks(range, most, 0);

/** Unix seconds at round local times; `offset` is that of local time from UTC, in seconds. */
export function timeTicks([low, high]: Range, most: number, offset: number): Ticks {
  if (high - low > 2) {
    for (const increment of TIME_STEPS) {
      if ((high - low) / increment > most * 4) continue;
      const at = multiples(low + offset, high + offset, increment).map((tick) => tick - offset);
      if (at.length <= most) return { at, increment };
    }
  }
  return linearTicks([low, high], most);
}
