import type { Numbers, NumpyArray } from '@/api/npy';
import type { Body, Look } from '@/charts/space';

export interface Geometry {
  /** x, y, z of one point after the other. */
  readonly positions: Float32Array;
  /** Three points per triangle; null: points alone. */
  readonly index: Uint32Array | null;
  /** From 0 to 1. */
  readonly colours: Float32Array | null;
  /** Faces that name points that are not there: they are left out. */
  readonly dropped: number;
}

/** Of arrays of rows of three: the vertices, and their faces and colours where there are some. */
export function geometryOf(vertices: NumpyArray, faces: NumpyArray | null, colours: NumpyArray | null): Geometry {
  const positions = Float32Array.from(vertices.data, (value) => (Number.isFinite(value) ? value : 0));
  const count = positions.length / 3;
  const index = faces ? knownFaces(faces.data, count) : new Uint32Array();
  return {
    positions,
    index: index.length > 0 ? index : null,
    colours: colours?.data.length === positions.length ? sharesOf(colours.data) : null,
    dropped: ((faces?.data.length ?? 0) - index.length) / 3,
  };
}

function knownFaces(points: Numbers, count: number): Uint32Array {
  const known = new Uint32Array(points.length);
  let kept = 0;
  const is = (point: number): boolean => Number.isInteger(point) && point >= 0 && point < count;
  for (let i = 0; i + 2 < points.length; i += 3) {
    const [a, b, c] = [points[i] ?? -1, points[i + 1] ?? -1, points[i + 2] ?? -1];
    if (!is(a) || !is(b) || !is(c)) continue;
    known[kept++] = a;
    known[kept++] = b;
    known[kept++] = c;
  }
  return known.subarray(0, kept);
}

function sharesOf(values: Numbers): Float32Array {
  return Float32Array.from(values, (value) => Math.min(1, Math.max(0, value / 255)));
}

/** What is drawn: what has no faces is points, whatever is asked for. */
export function bodyOf(geometry: Geometry, show: 'faces' | 'wires' | 'points', colour: string, look: Look | null): Body {
  return { ...geometry, kind: geometry.index ? show : 'points', colour, look };
}
