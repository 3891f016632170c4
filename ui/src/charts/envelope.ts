import type { Band } from './line';

/** A reduced series as it is drawn: one vertex per bucket and the extremes behind it. */
export interface Envelope {
  /** For each bucket the index of its last point that is a number, or of its last. */
  readonly last: Int32Array;
  readonly band: Band;
}

/** Points per bucket that a reduction keeps: first, minimum, maximum, last. */
const KEPT = 4;

/**
 * Buckets of a reduced series. Every point is in one, so the band holds every extreme; points
 * that are not numbers are buckets of their own, or a gap would be bridged.
 */
export function envelope(x: Float64Array, y: Float64Array): Envelope {
  const last: number[] = [];
  const low: number[] = [];
  const high: number[] = [];
  let i = 0;
  while (i < y.length) {
    let bottom = y[i] ?? NaN;
    let top = bottom;
    let end = i + 1;
    // The first point stands alone: a line begins where its series does.
    if (!Number.isNaN(bottom) && i > 0) {
      while (end < y.length && end < i + KEPT && !Number.isNaN(y[end])) {
        const value = y[end++] ?? NaN;
        if (value < bottom) bottom = value;
        if (value > top) top = value;
      }
    }
    last.push(end - 1);
    low.push(bottom);
    high.push(top);
    i = end;
  }
  const indices = Int32Array.from(last);
  return {
    last: indices,
    band: { x: pick(x, indices), low: Float64Array.from(low), high: Float64Array.from(high) },
  };
}

/** The elements at these indices. */
export function pick(values: Float64Array, indices: Int32Array): Float64Array {
  const picked = new Float64Array(indices.length);
  for (let i = 0; i < indices.length; i++) picked[i] = values[indices[i] ?? 0] ?? NaN;
  return picked;
}
