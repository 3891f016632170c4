import type { Vectors } from './api';

import type { Method } from './page_state';

/** What the worker is asked. */
export interface ReductionRequest {
  readonly method: Exclude<Method, 'pca'>;
  readonly vectors: Vectors;
  readonly dimensions: 2 | 3;
  /** Of how many neighbours of a point is kept that they are near: UMAP's neighbours, the perplexity of t-SNE. */
  readonly neighbours: number;
}

/** As many of them as so many points can have. */
export function possibleNeighbours(
  { method, neighbours }: Pick<ReductionRequest, 'method' | 'neighbours'>,
  points: number,
): number {
  const most = method === 'umap' ? points - 1 : Math.floor((points - 1) / 3);
  return Math.max(2, Math.min(neighbours, most));
}

/** What it says: how far it is, or the points. */
export type ReductionMessage =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'points'; readonly points: Float32Array }
  | { readonly kind: 'failed'; readonly reason: string };

/** More points take minutes: t-SNE compares each with each. Of more, every second, third ... is placed. */
const MOST_POINTS: Readonly<Record<ReductionRequest['method'], number>> = {
  umap: 20_000,
  tsne: 3_000,
};

/** Which of so many points a method places: each so manyth. */
export function everyOf(method: Method, count: number): number {
  return method === 'pca' ? 1 : Math.max(1, Math.ceil(count / MOST_POINTS[method]));
}

/** The vectors as rows; those with a coordinate that is no finite number are null: one would spoil the places of all. */
export function rowsOf({ data, count, dimensions }: Omit<Vectors, 'every'>): (number[] | null)[] {
  return Array.from({ length: count }, (_, i) => {
    const row = Array.from({ length: dimensions }, (_unused, n) => data[i * dimensions + n] ?? NaN);
    return row.every(Number.isFinite) ? row : null;
  });
}

/** What was found for the rows that are there, three coordinates each, in the places of these; NaN for the others. */
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

/** Each `every`th point has what was found for it, the others no place. */
export function spread(found: Float32Array, every: number, count: number): Float32Array {
  if (every === 1) return found;
  const places = new Float32Array(3 * count).fill(NaN);
  for (let i = 0; i < count; i += every)
    places.set(found.subarray((3 * i) / every, (3 * i) / every + 3), 3 * i);
  return places;
}

/** Numbers between 0 and 1 that are the same in every run (mulberry32): the same picture for the same vectors. */
export function repeatableRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
