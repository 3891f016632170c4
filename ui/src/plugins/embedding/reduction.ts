import type { Method } from './page_state';
import type { Vectors } from './neighbours';

/** What the worker is asked. */
export interface ReductionRequest {
  readonly method: Exclude<Method, 'pca'>;
  readonly vectors: Vectors;
  readonly dimensions: 2 | 3;
}

/** What it says: how far it is, or the points. */
export type ReductionMessage =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'points'; readonly points: readonly (readonly number[])[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** More points take minutes: t-SNE compares each with each. */
export const MOST_POINTS: Readonly<Record<ReductionRequest['method'], number>> = { umap: 20_000, tsne: 3_000 };

/** The vectors as rows. */
export function rowsOf({ data, count, dimensions }: Vectors): number[][] {
  return Array.from({ length: count }, (_, i) => data.slice(i * dimensions, (i + 1) * dimensions));
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
