import { tableFromIPC } from '@uwdata/flechette';

import { getBytes, getJson, readAnswer } from '@/api/client';
import { fetchNumpy } from '@/api/tensors';

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
  const { index, distance } = await getJson<{
    index: readonly number[];
    distance: readonly number[];
  }>('datavisual/embeddings/neighbours', { ...query });
  return index.map((point, i) => ({ index: point, distance: distance[i] ?? NaN }));
}

/** One text of each point: which of the values. */
export interface LabelColumn {
  readonly name: string;
  readonly values: readonly string[];
  readonly codes: Int32Array;
}

/** The points of one step on their principal components. */
export interface EmbeddingPoints {
  readonly count: number;
  /** Three coordinates each; NaN: the point has no place. */
  readonly places: Float32Array;
  /** Of each component its share of the variance. */
  readonly explained: readonly number[];
  readonly labels: readonly LabelColumn[];
}

/** All points or, with a sample, at most so many. */
export async function fetchPoints(
  trainId: string,
  tag: string,
  step: number,
  sample: number | null = null,
): Promise<EmbeddingPoints> {
  const bytes = await getBytes('datavisual/embeddings/points', {
    train_id: trainId,
    tag,
    step,
    sample,
  });
  return readAnswer(() => pointsOfArrow(bytes));
}

/** Points out of an Arrow stream. Throws an Error for what is none. */
export function pointsOfArrow(stream: Uint8Array): EmbeddingPoints {
  const table = tableFromIPC(stream);
  const about = JSON.parse(
    table.schema.metadata?.get('mindviz') ?? '{"explained":[],"labels":[]}',
  ) as {
    explained: readonly number[];
    labels: readonly { readonly name: string; readonly values: readonly string[] }[];
  };
  const count = table.numRows;
  const places = new Float32Array(3 * count);
  (['x', 'y', 'z'] as const).forEach((name, axis) => {
    const column: ArrayLike<number> = table.getChild(name).toArray();
    for (let i = 0; i < count; i++) places[3 * i + axis] = column[i] ?? NaN;
  });
  const labels = about.labels.map(({ name, values }, i) => ({
    name,
    values,
    codes: Int32Array.from(table.getChild(`label${i}`).toArray() as ArrayLike<number>),
  }));
  return { count, places, explained: about.explained, labels };
}

/** The text of a point in a column. */
export function labelOf({ values, codes }: LabelColumn, point: number): string {
  return values[codes[point] ?? -1] ?? '';
}

/** Vectors behind each other: those of each `every`th point, from the first on. */
export interface Vectors {
  readonly data: ArrayLike<number>;
  readonly count: number;
  readonly dimensions: number;
  readonly every: number;
}

export async function fetchVectors(
  trainId: string,
  tag: string,
  step: number,
  every: number,
): Promise<Vectors> {
  const {
    shape: [count = 0, dimensions = 0],
    data,
  } = await fetchNumpy('embedding', trainId, tag, step, `[::${every}, :]`);
  return { data, count, dimensions, every };
}
