import { lowerBound, nearestIndex } from '@/base/search';

import type { Line } from './line';
import type { Projection } from './paint';

export interface Near {
  readonly line: Line;
  readonly index: number;
  readonly distance: number;
  readonly aside: boolean;
}

const ASIDE = 24;

/** By distance of the pointer to the line between points; without `top` (arrow keys) by value. */
export function nearestPoints(
  lines: readonly Line[],
  projection: Projection,
  x: number,
  top: number | null,
): Near[] {
  const near: Near[] = [];
  for (const line of lines) {
    const index = nearestDrawn(line, x);
    if (index < 0) continue;
    const distance =
      top === null ? -(line.y[index] ?? 0) : distanceTo(line, projection, x, top, index);
    const aside = Math.abs(projection.x(line.x[index] ?? NaN) - projection.x(x)) > ASIDE;
    near.push({ line, index, distance, aside });
  }
  return near.sort((a, b) => a.distance - b.distance || (a.line.id < b.line.id ? -1 : 1));
}

function nearestDrawn(line: Line, x: number): number {
  const start = nearestIndex(line.x, x);
  for (let reach = 0; reach < 64; reach++) {
    for (const index of [start - reach, start + reach]) {
      if (Number.isFinite(line.y[index])) return index;
    }
  }
  return start;
}

function distanceTo(
  line: Line,
  projection: Projection,
  x: number,
  top: number,
  index: number,
): number {
  const left = projection.x(x);
  const pointLeft = projection.x(line.x[index] ?? NaN);
  const pointTop = projection.y(line.y[index] ?? NaN);
  let distance = (pointLeft - left) ** 2 + (pointTop - top) ** 2;
  const right = lowerBound(line.x, x);
  if (right > 0 && right < line.x.length) {
    const along = interpolate(line, projection, right, left);
    if (!Number.isNaN(along)) distance = Math.min(distance, (along - top) ** 2);
  }
  return Number.isNaN(distance) ? Infinity : distance;
}

function interpolate(line: Line, projection: Projection, right: number, left: number): number {
  const x0 = projection.x(line.x[right - 1] ?? NaN);
  const x1 = projection.x(line.x[right] ?? NaN);
  const y0 = projection.y(line.y[right - 1] ?? NaN);
  const y1 = projection.y(line.y[right] ?? NaN);
  return x1 === x0 ? y1 : y0 + ((y1 - y0) * (left - x0)) / (x1 - x0);
}
