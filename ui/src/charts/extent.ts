import { lowerBound, upperBound } from '@/base/search';

import type { ChartFrame, Range, Trace } from './line';

/** Indices [first, end) of an ascending array within a range, both ends included. */
export const inRange = (x: Float64Array, range: Range): [number, number] => [
  lowerBound(x, range[0]),
  upperBound(x, range[1]),
];

export function extentX(lines: readonly Trace[], frame: ChartFrame): Range | null {
  if (frame.zoom) return frame.zoom;
  let low = Infinity;
  let high = -Infinity;
  for (const { x } of lines) {
    const first = frame.logX ? lowerBound(x, Number.MIN_VALUE) : 0;
    if (first >= x.length) continue;
    low = Math.min(low, x[first] ?? Infinity);
    high = Math.max(high, x[x.length - 1] ?? -Infinity);
  }
  if (low > high) return null;
  if (low === high) return frame.logX ? [low / 2, low * 2] : [low - 0.5, high + 0.5];
  return [low, high];
}

/** Relative error of computed values, such as the mean of equal values. */
const ROUNDING = 16 * Number.EPSILON;

const CLIPPED = 0.02;

/** The range of y without the outermost visible values; null without values. */
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

export function extentY(lines: readonly Trace[], visible: Range, logY: boolean): Range | null {
  let low = Infinity;
  let high = -Infinity;
  const take = (values: Float64Array, first: number, end: number): void => {
    for (let i = first; i < end; i++) {
      const value = values[i] ?? NaN;
      // Comparisons with NaN are false. Infinities would flatten all other values.
      if (logY && value <= 0) continue;
      if (value < low && value > -Infinity) low = value;
      if (value > high && value < Infinity) high = value;
    }
  };
  for (const line of lines) {
    let [first, end] = inRange(line.x, visible);
    // A line may pass between the points before and after the range.
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
  if (low === 0 && high === 0) return [-0.5, 0.5];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const air = (high - low > size * ROUNDING ? high - low : size) * 0.05;
  const padded: Range = [low - air, high + air];
  // A curve that is never negative gets no negative axis.
  return [low >= 0 && padded[0] < 0 ? 0 : padded[0], high <= 0 && padded[1] > 0 ? 0 : padded[1]];
}

function padLog(low: number, high: number): Range {
  const factor = Math.max((high / low) ** 0.05, 1.02);
  return [low / factor, high * factor];
}
