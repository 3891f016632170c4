import { tableFromIPC } from '@uwdata/flechette';

import { getBytes, getJson, readAnswer } from '@/api/client';
import { fetchNumpy } from '@/api/tensors';

export type DistanceName = 'cosine' | 'euclidean';

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

/** Nearest points, measured in all dimensions. */
export async function fetchNeighbours(query: PointQuery): Promise<Neighbour[]> {
  const { index, distance } = await getJson<{
    index: readonly number[];
    distance: readonly number[];
  }>('datavisual/embeddings/neighbours', { ...query });
  return index.map((point, i) => ({ index: point, distance: distance[i] ?? NaN }));
}

/** A label of each point, as an index into the values. */
export interface LabelColumn {
  readonly name: string;
  readonly values: readonly string[];
  readonly codes: Int32Array;
}

export interface EmbeddingPoints {
  readonly count: number;
  /** x, y, z per point; NaN: no position. */
  readonly places: Float32Array;
  /** Share of the variance of each component. */
  readonly explained: readonly number[];
  readonly labels: readonly LabelColumn[];
}

/** All points, or at most `sample`. */
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

/** Throws an Error for invalid streams. */
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

export const labelOf = ({ values, codes }: LabelColumn, point: number): string =>
  values[codes[point] ?? -1] ?? '';

/** Every `every`th vector, concatenated. */
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
