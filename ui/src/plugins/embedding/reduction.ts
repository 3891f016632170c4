import type { Vectors } from './api';

import type { Method } from './page_state';

export interface ReductionRequest {
  readonly method: Exclude<Method, 'pca'>;
  readonly vectors: Vectors;
  readonly dimensions: 2 | 3;
  /** UMAP's neighbors or the perplexity of t-SNE. */
  readonly neighbours: number;
}

export function possibleNeighbours(
  { method, neighbours }: Pick<ReductionRequest, 'method' | 'neighbours'>,
  points: number,
): number {
  const most = method === 'umap' ? points - 1 : Math.floor((points - 1) / 3);
  return Math.max(2, Math.min(neighbours, most));
}

/** To the worker. */
export type ReductionCommand =
  | { readonly kind: 'start'; readonly request: ReductionRequest }
  | { readonly kind: 'pause' | 'resume' };

/** Progress from 0 to 1 with the points so far, or the result. */
export type ReductionMessage =
  | { readonly kind: 'progress'; readonly share: number; readonly points: Float32Array | null }
  | { readonly kind: 'points'; readonly points: Float32Array }
  | { readonly kind: 'failed'; readonly reason: string };

/** More points take minutes: t-SNE is quadratic. Beyond that, every nth point is placed. */
const MOST_POINTS: Readonly<Record<ReductionRequest['method'], number>> = {
  umap: 20_000,
  tsne: 3_000,
};

/** The stride between points that a method places. */
export const everyOf = (method: Method, count: number): number =>
  method === 'pca' ? 1 : Math.max(1, Math.ceil(count / MOST_POINTS[method]));

/** The vectors as rows; null: a coordinate is not finite, which would spoil all positions. */
export const rowsOf = ({ data, count, dimensions }: Omit<Vectors, 'every'>): (number[] | null)[] =>
  Array.from({ length: count }, (_, i) => {
    const row = Array.from({ length: dimensions }, (_unused, n) => data[i * dimensions + n] ?? NaN);
    return row.every(Number.isFinite) ? row : null;
  });

/** Results of the non-null rows at their original indices; NaN for the others. */
export function putBack(
  rows: readonly unknown[],
  found: readonly (readonly number[])[],
): Float32Array {
  const places = new Float32Array(3 * rows.length).fill(NaN);
  let next = 0;
  rows.forEach((row, i) => {
    const place = row === null ? undefined : found[next++];
    if (place) places.set([place[0] ?? NaN, place[1] ?? NaN, place[2] ?? 0], 3 * i);
  });
  return places;
}

/** Results of each `every`th point; NaN for the others. */
export function spread(found: Float32Array, every: number, count: number): Float32Array {
  if (every === 1) return found;
  const places = new Float32Array(3 * count).fill(NaN);
  for (let i = 0; i < count; i += every)
    places.set(found.subarray((3 * i) / every, (3 * i) / every + 3), 3 * i);
  return places;
}

/** Numbers from 0 to 1, the same in every run (mulberry32), so pictures are reproducible. */
export function repeatableRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
