import type { Numbers, NumpyArray } from '@/api/npy';
import type { Body, Look } from '@/charts/space';

export interface Geometry {
  /** x, y, z per point. */
  readonly positions: Float32Array;
  /** Three points per triangle; null: no faces. */
  readonly index: Uint32Array | null;
  /** From 0 to 1. */
  readonly colors: Float32Array | null;
  /** Number of omitted faces, with unknown or omitted points. */
  readonly dropped: number;
  /** Number of omitted points, with non-finite coordinates. */
  readonly placeless: number;
}

export function geometryOf(
  vertices: NumpyArray,
  faces: NumpyArray | null,
  colors: NumpyArray | null,
): Geometry {
  const { places, count } = placesOf(vertices.data);
  const index = faces ? knownFaces(faces.data, places) : new Uint32Array();
  return {
    positions: placed(vertices.data, places, count),
    index: index.length > 0 ? index : null,
    colors:
      colors?.data.length === vertices.data.length
        ? sharesOf(placed(colors.data, places, count))
        : null,
    dropped: ((faces?.data.length ?? 0) - index.length) / 3,
    placeless: places.length - count,
  };
}

/** Each point's index among the drawable ones, -1 for the others; and their number. */
function placesOf(data: Numbers): { places: Int32Array; count: number } {
  const places = new Int32Array(Math.floor(data.length / 3)).fill(-1);
  let count = 0;
  // Single precision is drawn: 1e39 becomes infinite.
  const isPlace = (at: number): boolean => Number.isFinite(Math.fround(data[at] ?? NaN));
  for (let i = 0; i < places.length; i++) {
    if (isPlace(3 * i) && isPlace(3 * i + 1) && isPlace(3 * i + 2)) places[i] = count++;
  }
  return { places, count };
}

function placed(data: Numbers, places: Int32Array, count: number): Float32Array {
  if (count === places.length) return Float32Array.from(data);
  const rows = new Float32Array(3 * count);
  places.forEach((place, i) => {
    if (place >= 0) rows.set(data.subarray(3 * i, 3 * i + 3), 3 * place);
  });
  return rows;
}

function knownFaces(points: Numbers, places: Int32Array): Uint32Array {
  const known = new Uint32Array(points.length);
  let kept = 0;
  for (let i = 0; i + 2 < points.length; i += 3) {
    const [a, b, c] = [
      places[points[i] ?? -1] ?? -1,
      places[points[i + 1] ?? -1] ?? -1,
      places[points[i + 2] ?? -1] ?? -1,
    ];
    if (a < 0 || b < 0 || c < 0) continue;
    known[kept++] = a;
    known[kept++] = b;
    known[kept++] = c;
  }
  return known.subarray(0, kept);
}

function sharesOf(values: Numbers): Float32Array {
  return Float32Array.from(values, (value) => Math.min(1, Math.max(0, value / 255)));
}

/** Meshes without faces are always drawn as points. */
export const bodyOf = (
  geometry: Geometry,
  show: 'faces' | 'wires' | 'points',
  color: string,
  look: Look | null,
): Body => ({ ...geometry, kind: geometry.index ? show : 'points', color, look });
