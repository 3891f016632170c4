import type { Rectangle } from '@/base/shapes';

import type { Point } from './layout';

/** The heights between which the boxes of a rank are. Between two bands there are only edges. */
export interface Band {
  readonly top: number;
  readonly bottom: number;
  /** Left and right ends of its boxes, from left to right. */
  readonly taken: readonly (readonly [number, number])[];
}

/** The space that an edge keeps to the boxes that it passes. */
const CLEAR = 8;

export function bandsOf(boxes: readonly Rectangle[]): readonly Band[] {
  const bands: { top: number; bottom: number; boxes: Rectangle[] }[] = [];
  for (const box of [...boxes].sort((a, b) => a.y - b.y)) {
    const last = bands.at(-1);
    if (last && box.y < last.bottom) {
      last.bottom = Math.max(last.bottom, box.y + box.height);
      last.boxes.push(box);
    } else if (last?.top === box.y) {
      last.bottom = box.y + box.height;
      last.boxes.push(box);
    } else {
      bands.push({ top: box.y, bottom: box.y + box.height, boxes: [box] });
    }
  }
  return bands.map(({ top, bottom, boxes: within }) => ({
    top,
    bottom,
    taken: within.map(({ x, width }) => [x, x + width] as const).sort((a, b) => a[0] - b[0]),
  }));
}

/**
 * An edge from a box down to another: vertical where it passes a rank, at the place of `bends` or,
 * if a box is there, in the nearest gap. Between ranks it may go anywhere.
 */
export function routed(
  start: Point,
  end: Point,
  bands: readonly Band[],
  bends: readonly Point[],
): Point[] {
  const rough = [start, ...bends, end];
  const points: Point[] = [start];
  let segment = 0;
  for (let i = firstFrom(bands, start[1]); i < bands.length; i++) {
    const { top, bottom, taken } = bands[i] ?? { top: 0, bottom: 0, taken: [] };
    if (top >= end[1]) break;
    // The bands of its own boxes, which are not as high as their neighbors.
    if (top < start[1]) points.push([start[0], Math.max(start[1], bottom)]);
    else if (bottom > end[1]) points.push([end[0], top]);
    else {
      const middle = (top + bottom) / 2;
      while (segment + 2 < rough.length && (rough[segment + 1]?.[1] ?? 0) < middle) segment++;
      const x = gapNear(taken, between(rough[segment] ?? start, rough[segment + 1] ?? end, middle));
      points.push([x, top], [x, bottom]);
    }
  }
  points.push(end);
  return points.filter(
    ([x, y], i) =>
      i === 0 ||
      i === points.length - 1 ||
      x !== points[i - 1]?.[0] ||
      x !== points[i + 1]?.[0] ||
      y < (points[i - 1]?.[1] ?? 0),
  );
}

/** The first band that ends below a height. */
function firstFrom(bands: readonly Band[], y: number): number {
  let [low, high] = [0, bands.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bands[middle]?.bottom ?? 0) > y) high = middle;
    else low = middle + 1;
  }
  return low;
}

function between([x0, y0]: Point, [x1, y1]: Point, y: number): number {
  return y1 > y0 ? x0 + (x1 - x0) * Math.min(1, Math.max(0, (y - y0) / (y1 - y0))) : x1;
}

/** The place nearest to `x` that is in no box. */
function gapNear(taken: Band['taken'], x: number): number {
  const inside = taken.findIndex(([left, right]) => left < x && x < right);
  if (inside < 0) return x;
  let best = Infinity;
  // Gaps narrower than the clearance on both sides are passed in their middle.
  const consider = (at: number): void => {
    if (Math.abs(at - x) < Math.abs(best - x)) best = at;
  };
  for (let i = inside; i < taken.length; i++) {
    const right = taken[i]?.[1] ?? 0;
    const next = taken[i + 1]?.[0] ?? Infinity;
    if (next <= right) continue;
    consider(Math.min(right + CLEAR, (right + next) / 2));
    break;
  }
  for (let i = inside; i >= 0; i--) {
    const left = taken[i]?.[0] ?? 0;
    const before = taken[i - 1]?.[1] ?? -Infinity;
    if (before >= left) continue;
    consider(Math.max(left - CLEAR, (left + before) / 2));
    break;
  }
  return best;
}
