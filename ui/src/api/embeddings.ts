import { getJson } from './client';
import { fetchNumpy } from './tensors';

export type DistanceName = 'cosine' | 'euclidean';

/** A point of an embedding, as it is asked about. */
export interface PointQuery {
  readonly train_id: string;
  readonly tag: string;
  readonly step: number;
  readonly point: number;
  readonly distance: DistanceName;
  readonly most: number;
}

export interface Neighbour {
  readonly index: number;
  readonly distance: number;
}

/** The points nearest to one, by all dimensions of all points. */
export async function fetchNeighbours(query: PointQuery): Promise<Neighbour[]> {
  const { index, distance } = await getJson<{ index: readonly number[]; distance: readonly number[] }>(
    'datavisual/embeddings/neighbours', { ...query },
  );
  return index.map((point, i) => ({ index: point, distance: distance[i] ?? NaN }));
}

/** Vectors behind each other: those of each `every`th point, from the first on. */
export interface Vectors {
  readonly data: ArrayLike<number>;
  readonly count: number;
  readonly dimensions: number;
  readonly every: number;
}

export async function fetchVectors(trainId: string, tag: string, step: number, every: number): Promise<Vectors> {
  const { shape: [count = 0, dimensions = 0], data } = await fetchNumpy('embedding', trainId, tag, step, `[::${every}, :]`);
  return { data, count, dimensions, every };
}
