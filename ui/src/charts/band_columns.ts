import { lowerBound } from '@/base/search';

import type { Band } from './line';
import type { Projection } from './paint';

/** Pixels from the top; zero on a logarithmic axis is below the picture. */
export function edgeOf(value: number | undefined, to: Projection): number {
  const at = value ?? NaN;
  return to.logY && at <= 0 ? 1e5 : Math.max(-1e5, Math.min(1e5, to.y(at)));
}

/** The extremes of a band in each column of device pixels, `ratio` per CSS pixel. */
export function bandColumns(band: Band, to: Projection, ratio: number) {
  const first = Math.floor(to.x(to.visible[0]) * ratio);
  const count = Math.max(0, Math.ceil(to.x(to.visible[1]) * ratio) - first + 1);
  const low = new Float64Array(count).fill(-Infinity);
  const high = new Float64Array(count).fill(Infinity);
  const take = (column: number, bottom: number, top: number): void => {
    const i = Math.max(0, Math.min(count - 1, column - first));
    if (bottom > (low[i] ?? 0)) low[i] = bottom;
    if (top < (high[i] ?? 0)) high[i] = top;
  };
  const start = Math.max(0, lowerBound(band.x, to.visible[0]) - 1);
  const end = Math.min(band.x.length, lowerBound(band.x, to.visible[1]) + 2);
  let left = NaN;
  let bottom = NaN;
  let top = NaN;
  for (let i = start; i < end; i++) {
    const right = to.x(band.x[i] ?? NaN) * ratio;
    const nextBottom = edgeOf(band.low[i], to);
    const nextTop = edgeOf(band.high[i], to);
    if (Number.isNaN(nextBottom) || Number.isNaN(nextTop) || !Number.isFinite(right)) {
      left = NaN;
      continue;
    }
    const inView = right >= first && right <= first + count;
    if (inView) take(Math.floor(right), nextBottom, nextTop);
    // Between two buckets the band is linear.
    for (
      let column = Math.max(first, Math.floor(left) + 1);
      column <= Math.min(right, first + count - 1);
      column++
    ) {
      const share = (column - left) / (right - left);
      const between = bottom + (nextBottom - bottom) * share;
      const above = top + (nextTop - top) * share;
      take(column, between, above);
      take(column - 1, between, above);
    }
    left = right;
    bottom = nextBottom;
    top = nextTop;
  }
  return { first, low, high };
}
