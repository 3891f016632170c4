import type { Landscape } from '@/api/landscapes';
import type { Body } from '@/charts/space';

/** Losses over a grid, and the way that training took. NaN where there is no loss. */
export interface Surface {
  readonly trainId: string;
  readonly colour: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** z[j][i] is at x[i], y[j]. */
  readonly z: readonly (readonly number[])[];
  readonly path: readonly PathPoint[];
}

export interface PathPoint { readonly x: number; readonly y: number; readonly z: number; readonly at: number }

const loss = (value: number | string | null | undefined): number => (typeof value === 'number' ? value : NaN);

export function surfaceOf(landscape: Landscape, colour: string): Surface {
  const { points, path } = landscape;
  return {
    trainId: landscape.train_id, colour, x: points.x, y: points.y, z: points.z.map((row) => row.map(loss)),
    path: (path?.x ?? []).map((x, i) => ({ x, y: path?.y[i] ?? NaN, z: loss(path?.z[i]), at: path?.intervals[i] ?? i })),
  };
}

export interface Bounds { readonly low: number; readonly high: number }

/** The least and the largest of numbers that are some; NaN if none is. */
export function boundsOf(values: Iterable<number>): Bounds {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? { low, high } : { low: NaN, high: NaN };
}

export function lossBounds(surfaces: readonly Surface[]): Bounds {
  return boundsOf(surfaces.flatMap(({ z, path }) => [...z.flat(), ...path.map((point) => point.z)]));
}

/** Where lines of equal loss are drawn: evenly between the bounds, on neither. */
export function heights({ low, high }: Bounds, count: number): readonly number[] {
  return high > low ? Array.from({ length: count }, (_, i) => low + ((i + 1) / (count + 1)) * (high - low)) : [];
}

/** Pieces of the line of one height: x0, y0, x1, y1 of each, in the coordinates of the grid. */
export function contour({ x, y, z }: Pick<Surface, 'x' | 'y' | 'z'>, height: number): number[] {
  const pieces: number[] = [];
  for (let j = 0; j + 1 < y.length; j++) {
    for (let i = 0; i + 1 < x.length; i++) {
      // Corners in turn around the cell; where the line crosses an edge between two is a point.
      const corners = ([[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]] as const).map(([a, b]) => ({ x: x[a] ?? NaN, y: y[b] ?? NaN, z: z[b]?.[a] ?? NaN }));
      if (corners.some((corner) => !Number.isFinite(corner.z))) continue;
      const crossings: number[][] = [];
      corners.forEach((from, n) => {
        const to = corners[(n + 1) % 4] ?? from;
        if ((from.z < height) === (to.z < height)) return;
        const share = (height - from.z) / (to.z - from.z);
        crossings.push([from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)]);
      });
      for (let n = 0; n + 1 < crossings.length; n += 2) pieces.push(...(crossings[n] ?? []), ...(crossings[n + 1] ?? []));
    }
  }
  return pieces;
}

/** Dark blue to yellow: in the order of lightness, whatever colours one sees. */
const RAMP = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]] as const;

/** Red, green and blue from 0 to 255 of a share from 0 to 1. */
export function ramp(share: number): readonly [number, number, number] {
  const at = (Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0) * (RAMP.length - 1);
  const first = Math.min(Math.floor(at), RAMP.length - 2);
  const [from, to] = [RAMP[first] ?? RAMP[0], RAMP[first + 1] ?? RAMP[0]];
  const mixed = (i: 0 | 1 | 2): number => Math.round(from[i] + (to[i] - from[i]) * (at - first));
  return [mixed(0), mixed(1), mixed(2)];
}

/**
 * The part of the ramp that lines are drawn in: of marks on nothing but the page all can be seen.
 * What fills a plane has all of it.
 */
export function lineShare(share: number, theme: string): number {
  return theme === 'dark' ? 0.4 + 0.6 * share : 0.56 * share;
}

/** Surfaces in space: x and y between -1 and 1, the loss upwards; one alone is coloured by its loss. */
export function bodiesOf(surfaces: readonly Surface[], until: number): Body[] {
  const { low, high } = lossBounds(surfaces);
  const [xs, ys] = [boundsOf(surfaces.flatMap(({ x }) => x)), boundsOf(surfaces.flatMap(({ y }) => y))];
  const share = (value: number, bounds: Bounds): number => (bounds.high > bounds.low ? (value - bounds.low) / (bounds.high - bounds.low) : 0.5);
  const at = (x: number, y: number, z: number): [number, number, number] => [2 * share(x, xs) - 1, 1.1 * share(z, { low, high }), 1 - 2 * share(y, ys)];
  const overlaid = surfaces.length > 1;
  return surfaces.flatMap(({ x, y, z, path, colour }): Body[] => {
    const positions: number[] = [];
    const colours: number[] = [];
    y.forEach((v, j) => { x.forEach((u, i) => {
      const value = z[j]?.[i] ?? NaN;
      positions.push(...at(u, v, Number.isFinite(value) ? value : low));
      colours.push(...ramp(share(value, { low, high })).map((part) => part / 255));
    }); });
    const index: number[] = [];
    for (let j = 0; j + 1 < y.length; j++) {
      for (let i = 0; i + 1 < x.length; i++) {
        if ([z[j]?.[i], z[j]?.[i + 1], z[j + 1]?.[i], z[j + 1]?.[i + 1]].some((value) => !Number.isFinite(value))) continue;
        const a = j * x.length + i;
        index.push(a, a + 1, a + x.length, a + 1, a + x.length + 1, a + x.length);
      }
    }
    const way = walked(path, until).flatMap((point) => { const [u, v, w] = at(point.x, point.y, point.z); return [u, v + 0.02, w]; });
    return [
      { kind: 'faces', positions: Float32Array.from(positions), index: Uint32Array.from(index), colours: overlaid ? null : Float32Array.from(colours), colour, opacity: overlaid ? 0.75 : 1 },
      { kind: 'line', positions: Float32Array.from(way), index: null, colours: null, colour: overlaid ? '#ffffff' : '#e0313f' },
      { kind: 'points', positions: Float32Array.from(way), index: null, colours: null, colour: overlaid ? '#ffffff' : '#e0313f' },
    ];
  });
}

/** The first part of a path, in percent; never less than its beginning. */
export function walked(path: readonly PathPoint[], percent: number): readonly PathPoint[] {
  return path.slice(0, Math.max(1, Math.ceil((path.length * percent) / 100)));
}
