import { lowerBound } from './search';

/** Tops of rows of known heights: n + 1 numbers, the last is the height of all. */
export function rowTops(heights: readonly number[]): Float64Array {
  const tops = new Float64Array(heights.length + 1);
  heights.forEach((height, i) => {
    tops[i + 1] = (tops[i] ?? 0) + height;
  });
  return tops;
}

/** Which rows [first, end) touch the window [top, bottom). */
export function visibleRows(tops: Float64Array, top: number, bottom: number): [number, number] {
  const rows = tops.length - 1;
  const first = Math.max(0, Math.min(rows, lowerBound(tops, top + 1e-6) - 1));
  const end = Math.max(first, Math.min(rows, lowerBound(tops, bottom)));
  return [first, end];
}
