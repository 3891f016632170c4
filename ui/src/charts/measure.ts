import { extentClipped, extentX, extentY } from './extent';
import { tracesOf, type ChartFrame, type Line, type Range } from './line';
import type { Projection } from './paint';

const FALLBACK: Range = [0, 1];

export interface Measure {
  readonly x: Range;
  readonly y: Range;
  readonly logX: boolean;
  readonly logY: boolean;
}

export function measured(own: readonly Line[], frame: ChartFrame): Measure {
  const lines = tracesOf(frame.beside ? [...own, ...frame.beside] : own);
  const x = extentX(lines, frame) ?? FALLBACK;
  const extent = frame.clip ? extentClipped : extentY;
  const log = frame.logY ? extent(lines, x, true) : null;
  return {
    x,
    y: bounded(log ?? extent(lines, x, false) ?? FALLBACK, frame, log !== null),
    logX: Boolean(frame.logX) && x[0] > 0,
    logY: log !== null,
  };
}

/** The range with the bounds that were set; one that leaves no range is ignored. */
function bounded(range: Range, { low = null, high = null }: ChartFrame, log: boolean): Range {
  const from = low !== null && !(log && low <= 0) ? low : range[0];
  const to = high ?? range[1];
  return from < to ? [from, to] : range;
}

export function projectionOf(
  { x, y, logX, logY }: Measure,
  width: number,
  height: number,
): Projection {
  const toX = scale(x[0], x[1], logX);
  const toY = scale(y[0], y[1], logY);
  return {
    x: (value) => toX(value) * width,
    y: (value) => (1 - toY(value)) * height,
    visible: x,
    height,
    logY,
  };
}

function scale(low: number, high: number, log: boolean): (value: number) => number {
  if (!log) return (value) => (value - low) / (high - low);
  const base = Math.log(low);
  const span = Math.log(high) - base;
  return (value) => (Math.log(value) - base) / span;
}

export function shifted([low, high]: Range, share: number, log: boolean): Range {
  if (log) {
    const factor = (high / low) ** share;
    return [low * factor, high * factor];
  }
  const by = (high - low) * share;
  return [low + by, high + by];
}
