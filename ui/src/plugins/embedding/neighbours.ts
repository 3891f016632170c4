/** Vectors behind each other, as the server answers them. */
export interface Vectors {
  readonly data: readonly number[];
  readonly count: number;
  readonly dimensions: number;
}

export interface Neighbour {
  readonly index: number;
  readonly distance: number;
}

export type DistanceName = 'cosine' | 'euclidean';

/** The `most` vectors nearest to one of them, by the distance in all dimensions. */
export function neighboursOf(vectors: Vectors, index: number, name: DistanceName, most: number): Neighbour[] {
  return Array.from({ length: vectors.count }, (_, other) => ({ index: other, distance: distance(vectors, index, other, name) }))
    .filter((one) => one.index !== index && !Number.isNaN(one.distance))
    .sort((a, b) => a.distance - b.distance || a.index - b.index)
    .slice(0, most);
}

function distance({ data, dimensions }: Vectors, a: number, b: number, name: DistanceName): number {
  let [product, squareA, squareB, square] = [0, 0, 0, 0];
  for (let i = 0; i < dimensions; i++) {
    const [x, y] = [data[a * dimensions + i] ?? NaN, data[b * dimensions + i] ?? NaN];
    product += x * y;
    squareA += x * x;
    squareB += y * y;
    square += (x - y) ** 2;
  }
  return name === 'euclidean' ? Math.sqrt(square) : 1 - product / Math.sqrt(squareA * squareB);
}
