import { lowerBound } from '@/base/search';

import type { ChartFrame, Range, Trace } from './line';

/** Indices [first, end) of the points of an ascending array within a range, both ends included. */
export function inRange(x: Float64Array, range: Range): [number, number] {
  const first = lowerBound(x, range[0]);
  let end = lowerBound(x, range[1]);
  while (end < x.length && x[end] === range[1]) end++;
  return [first, end];
}

/** Where the x axis begins and ends: the zoom, or all finite points of all lines; null if none. */
export function extentX(lines: readonly Trace[], frame: ChartFrame): Range | null {
  if (frame.zoom) return frame.zoom;
  let low = Infinity;
  let high = -Infinity;
  for (const { x } of lines) {
    const first = frame.logX ? firstPositive(x) : 0;
    if (first >= x.length) continue;
    low = Math.min(low, x[first] ?? Infinity);
    high = Math.max(high, x[x.length - 1] ?? -Infinity);
  }
  if (low > high) return null;
  if (low === high) return frame.logX ? [low / 2, low * 2] : [low - 0.5, high + 0.5];
  return [low, high];
}

function firstPositive(x: Float64Array): number {
  return lowerBound(x, Number.MIN_VALUE);
}

/** Of its size: what a value may be off by having been computed, as the mean of equal values is. */
const ROUNDING = 16 * Number.EPSILON;

/** Share of the values at either end that a clipped axis may leave out. */
const CLIPPED = 0.02;

/** Where the y axis begins and ends: all but the outermost of the visible values; null if none. */
export function extentClipped(
  lines: readonly Trace[],
  visible: Range,
  logY: boolean,
): Range | null {
  const values = lines.flatMap((line) => {
    const [first, end] = inRange(line.x, visible);
    return [...line.y.subarray(first, end)].filter(
      (value) => Number.isFinite(value) && !(logY && value <= 0),
    );
  });
  if (values.length === 0) return null;
  values.sort((a, b) => a - b);
  const at = (share: number): number => values[Math.round(share * (values.length - 1))] ?? NaN;
  return logY ? padLog(at(CLIPPED), at(1 - CLIPPED)) : pad(at(CLIPPED), at(1 - CLIPPED));
}

/** Where the y axis begins and ends: what is visible, with a little air; null if there is nothing. */
export function extentY(lines: readonly Trace[], visible: Range, logY: boolean): Range | null {
  let low = Infinity;
  let high = -Infinity;
  const take = (values: Float64Array, first: number, end: number): void => {
    for (let i = first; i < end; i++) {
      const value = values[i] ?? NaN;
      // NaN fails every comparison; infinities would leave nothing else to be seen.
      if (logY && value <= 0) continue;
      if (value < low && value > -Infinity) low = value;
      if (value > high && value < Infinity) high = value;
    }
  };
  for (const line of lines) {
    let [first, end] = inRange(line.x, visible);
    // No point is within, but a line passes from the one before to the one behind.
    if (first === end) [first, end] = [first - 1, end + 1];
    take(line.y, first, end);
    if (line.raw) take(line.raw, first, end);
    if (line.band) {
      const [bandFirst, bandEnd] = inRange(line.band.x, visible);
      take(line.band.low, bandFirst, bandEnd);
      take(line.band.high, bandFirst, bandEnd);
    }
  }
  if (low > high) return null;
  return logY ? padLog(low, high) : pad(low, high);
}

function pad(low: number, high: number): Range {
  // Zeros alone would have an axis without length if it began and ended where they are.
  if (low === 0 && high === 0) return [-0.5, 0.5];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const air = (high - low > size * ROUNDING ? high - low : size) * 0.05;
  const padded: Range = [low - air, high + air];
  // Losses and accuracies: a curve that never goes below zero has no axis that does.
  return [low >= 0 && padded[0] < 0 ? 0 : padded[0], high <= 0 && padded[1] > 0 ? 0 : padded[1]];
}

function padLog(low: number, high: number): Range {
  const factor = Math.max((high / low) ** 0.05, 1.02);
  return [low / factor, high * factor];
}
