/** Points in three dimensions as they are seen from somewhere. Pure. */

/** Where one looks from: angles in radians, and how near. */
export interface Viewpoint {
  readonly yaw: number;
  readonly pitch: number;
  readonly zoom: number;
}

export const USUAL_VIEWPOINT: Viewpoint = { yaw: 0.6, pitch: 0.35, zoom: 1 };

/** Points as they lie on the screen. */
export interface Projection {
  /** In pixels, x and y of each point behind each other. */
  readonly at: Float32Array;
  /** Larger is nearer; between -1 and 1. */
  readonly depth: Float32Array;
  /** Indices from the furthest to the nearest. */
  readonly order: Uint32Array;
}

/** Coordinates moved and scaled into the unit sphere; `dimensions` per point, two or three. */
export function intoSphere(points: readonly (readonly number[])[]): Float32Array {
  const centre = [0, 1, 2].map((axis) => points.reduce((sum, point) => sum + (point[axis] ?? 0), 0) / (points.length || 1));
  const moved = new Float32Array(points.length * 3);
  let furthest = 0;
  points.forEach((point, i) => {
    const [x, y, z] = [0, 1, 2].map((axis) => (axis < point.length ? (point[axis] ?? 0) - (centre[axis] ?? 0) : 0)) as [number, number, number];
    moved.set([x, y, z], 3 * i);
    furthest = Math.max(furthest, Math.hypot(x, y, z));
  });
  return furthest > 0 ? moved.map((coordinate) => coordinate / furthest) : moved;
}

/** What is seen of points in the unit sphere, in a picture of this size. */
export function project(points: Float32Array, view: Viewpoint, width: number, height: number): Projection {
  const count = points.length / 3;
  const at = new Float32Array(count * 2);
  const depth = new Float32Array(count);
  const [sinYaw, cosYaw] = [Math.sin(view.yaw), Math.cos(view.yaw)];
  const [sinPitch, cosPitch] = [Math.sin(view.pitch), Math.cos(view.pitch)];
  const scale = (Math.min(width, height) / 2) * 0.92 * view.zoom;
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [points[3 * i] ?? 0, points[3 * i + 1] ?? 0, points[3 * i + 2] ?? 0];
    const across = x * cosYaw + z * sinYaw;
    const away = z * cosYaw - x * sinYaw;
    at[2 * i] = width / 2 + across * scale;
    at[2 * i + 1] = height / 2 - (y * cosPitch - away * sinPitch) * scale;
    depth[i] = y * sinPitch + away * cosPitch;
  }
  const order = Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => (depth[a] ?? 0) - (depth[b] ?? 0));
  return { at, depth, order };
}

/** The point nearest to a place on the screen, the nearer one where two are as close; -1: none within reach. */
export function pointAt({ at, order }: Projection, x: number, y: number, reach: number): number {
  let found = -1;
  let least = reach;
  for (const i of order) {
    const distance = Math.hypot((at[2 * i] ?? 0) - x, (at[2 * i + 1] ?? 0) - y);
    if (distance <= least) [found, least] = [i, distance];
  }
  return found;
}
