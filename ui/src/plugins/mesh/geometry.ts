import type { Body } from '@/charts/space';

/** Rows of three numbers; null where a number is none. */
export type Rows = readonly (readonly (number | string | null)[])[];

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

export function geometryOf(vertices: Rows, faces: Rows | null, colours: Rows | null): Geometry {
  const count = vertices.length;
  const positions = numbers(vertices);
  const known = (faces ?? []).filter((face) => face.length === 3 && face.every((i) => Number.isInteger(i) && Number(i) >= 0 && Number(i) < count));
  return {
    positions,
    index: faces && known.length > 0 ? Uint32Array.from(known.flat(), Number) : null,
    colours: colours?.length === count ? numbers(colours).map((value) => Math.min(1, Math.max(0, value / 255))) : null,
    dropped: (faces?.length ?? 0) - known.length,
  };
}

function numbers(rows: Rows): Float32Array {
  const values = new Float32Array(rows.length * 3);
  rows.forEach((row, i) => {
    for (let axis = 0; axis < 3; axis++) {
      const value = row[axis];
      values[3 * i + axis] = typeof value === 'number' ? value : 0;
    }
  });
  return values;
}

/** What is drawn: what has no faces is points, whatever is asked for. */
export function bodyOf(geometry: Geometry, show: 'faces' | 'wires' | 'points', colour: string): Body {
  return { ...geometry, kind: geometry.index ? show : 'points', colour };
}

/** `tetra_FACE` is a part of the mesh `tetra`. */
export function meshName(tag: string): string {
  return tag.replace(/_(VERTEX|FACE|COLOR)$/, '');
}
