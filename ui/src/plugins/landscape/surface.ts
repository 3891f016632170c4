import type { Landscape } from './api';
import { ramp, type MapName } from '@/base/color_maps';
import type { Body, Spot as Spot3 } from '@/charts/space';

export interface JobFacts {
  readonly trainId: string;
  readonly facts: readonly (readonly [string, string])[];
}

export interface Surface {
  readonly trainId: string;
  readonly color: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly z: readonly (readonly number[])[];
  readonly path: readonly PathPoint[];
}

export interface PathPoint {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly at: number;
}

const loss = (value: number | string | null | undefined): number =>
  typeof value === 'number' ? value : NaN;

export function surfaceOf(landscape: Landscape, color: string): Surface {
  const { points, path } = landscape;
  return {
    trainId: landscape.train_id,
    color,
    x: points.x,
    y: points.y,
    z: points.z.map((row) => row.map(loss)),
    path: (path?.x ?? []).map((x, i) => ({
      x,
      y: path?.y[i] ?? NaN,
      z: loss(path?.z[i]),
      at: path?.intervals[i] ?? i,
    })),
  };
}

export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** The range of finite numbers; NaN without any. */
export function boundsOf(values: Iterable<number>): Bounds {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? { low, high } : { low: NaN, high: NaN };
}

export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** The nearest grid point, or null without a grid. */
export function gridSpot(
  { x, y, z }: Surface,
  at: { readonly x: number; readonly y: number },
): (Spot & { readonly i: number; readonly j: number }) | null {
  const nearest = (values: readonly number[], to: number): number =>
    values.reduce(
      (best, value, i) =>
        Math.abs(value - to) < Math.abs((values[best] ?? Infinity) - to) ? i : best,
      0,
    );
  const [i, j] = [nearest(x, at.x), nearest(y, at.y)];
  const [u, v] = [x[i], y[j]];
  return u === undefined || v === undefined ? null : { x: u, y: v, z: z[j]?.[i] ?? NaN, i, j };
}

export const lossBounds = (surfaces: readonly Surface[]): Bounds =>
  boundsOf(surfaces.flatMap(({ z, path }) => [...z.flat(), ...path.map((point) => point.z)]));

/** Evenly between the bounds, without them. */
export const contourLevels = ({ low, high }: Bounds, count: number): readonly number[] =>
  high > low
    ? Array.from({ length: count }, (_, i) => low + ((i + 1) / (count + 1)) * (high - low))
    : [];

/** Segments of a contour line as x0, y0, x1, y1 in grid coordinates. */
export function contour({ x, y, z }: Pick<Surface, 'x' | 'y' | 'z'>, height: number): number[] {
  const pieces: number[] = [];
  for (let j = 0; j + 1 < y.length; j++) {
    for (let i = 0; i + 1 < x.length; i++) {
      // The four corners around a cell; crossings are on its edges.
      const corners = (
        [
          [i, j],
          [i + 1, j],
          [i + 1, j + 1],
          [i, j + 1],
        ] as const
      ).map(([a, b]) => ({ x: x[a] ?? NaN, y: y[b] ?? NaN, z: z[b]?.[a] ?? NaN }));
      if (corners.some((corner) => !Number.isFinite(corner.z))) continue;
      const crossings: number[][] = [];
      corners.forEach((from, n) => {
        const to = corners[(n + 1) % 4] ?? from;
        if (from.z < height === to.z < height) return;
        const share = (height - from.z) / (to.z - from.z);
        crossings.push([from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)]);
      });
      for (let n = 0; n + 1 < crossings.length; n += 2)
        pieces.push(...(crossings[n] ?? []), ...(crossings[n + 1] ?? []));
    }
  }
  return pieces;
}

export interface LandscapeStyle {
  readonly map: MapName;
  readonly opacity: number;
  /** Color and pixels of the path; empty: the default color. */
  readonly pathColor: string;
  readonly pathWidth: number;
}

const NEAR_PATH = 0.05;

/** Maps to 3D: x and y between -1 and 1, the loss upward. */
export function spaceOf(surfaces: readonly Surface[]) {
  const { low, high } = lossBounds(surfaces);
  const [xs, ys] = [
    boundsOf(surfaces.flatMap(({ x }) => x)),
    boundsOf(surfaces.flatMap(({ y }) => y)),
  ];
  const share = (value: number, bounds: Bounds): number =>
    bounds.high > bounds.low ? (value - bounds.low) / (bounds.high - bounds.low) : 0.5;
  const placeOf = (x: number, y: number, z: number): [number, number, number] => [
    2 * share(x, xs) - 1,
    1.1 * share(z, { low, high }),
    1 - 2 * share(y, ys),
  ];

  function spotAt([u, v, w]: Spot3, until: number): (Spot & { readonly place: Spot3 }) | null {
    const at = {
      x: xs.low + ((u + 1) / 2) * (xs.high - xs.low),
      y: ys.low + ((1 - w) / 2) * (ys.high - ys.low),
    };
    const away = ({ place: [a, b, c] }: { readonly place: Spot3 }): number =>
      Math.hypot(a - u, b - v, c - w);
    const nearest = <One extends { readonly place: Spot3 }>(all: readonly One[]): One | null =>
      all.reduce<One | null>((best, one) => (best && away(best) <= away(one) ? best : one), null);
    const placed = <One extends Spot>(one: One): One & { place: Spot3 } => ({
      ...one,
      place: placeOf(one.x, one.y, one.z),
    });
    const onPath = nearest(
      surfaces
        .flatMap(({ path }) => walked(path, until))
        .filter(({ z }) => Number.isFinite(z))
        .map(placed),
    );
    if (onPath && away(onPath) < NEAR_PATH) return onPath;
    return nearest(
      surfaces
        .flatMap((surface) => gridSpot(surface, at) ?? [])
        .filter(({ z }) => Number.isFinite(z))
        .map(placed),
    );
  }
  return { low, high, share, placeOf, spotAt };
}

/** 3D bodies; a single surface is colored by loss. */
export function bodiesOf(
  surfaces: readonly Surface[],
  until: number,
  { map, opacity, pathColor, pathWidth }: LandscapeStyle,
): Body[] {
  const { low, high, share, placeOf: at } = spaceOf(surfaces);
  const overlaid = surfaces.length > 1;
  return surfaces.flatMap(({ x, y, z, path, color }): Body[] => {
    const positions: number[] = [];
    const colors: number[] = [];
    y.forEach((v, j) => {
      x.forEach((u, i) => {
        const value = z[j]?.[i] ?? NaN;
        positions.push(...at(u, v, Number.isFinite(value) ? value : low));
        colors.push(...ramp(share(value, { low, high }), map).map((part) => part / 255));
      });
    });
    const index: number[] = [];
    for (let j = 0; j + 1 < y.length; j++) {
      for (let i = 0; i + 1 < x.length; i++) {
        if (
          [z[j]?.[i], z[j]?.[i + 1], z[j + 1]?.[i], z[j + 1]?.[i + 1]].some(
            (value) => !Number.isFinite(value),
          )
        )
          continue;
        const a = j * x.length + i;
        index.push(a, a + 1, a + x.length, a + 1, a + x.length + 1, a + x.length);
      }
    }
    const pathPoints = walked(path, until)
      .filter(({ x: u, y: v, z: w }) => [u, v, w].every(Number.isFinite))
      .flatMap((point) => {
        const [u, v, w] = at(point.x, point.y, point.z);
        return [u, v + 0.02, w];
      });
    const tint = pathColor || (overlaid ? '#ffffff' : '#e0313f');
    const points = Float32Array.from(pathPoints);
    return [
      {
        kind: 'faces',
        positions: Float32Array.from(positions),
        index: Uint32Array.from(index),
        colors: overlaid ? null : Float32Array.from(colors),
        color,
        opacity: overlaid ? 0.75 * opacity : opacity,
      },
      {
        kind: 'tube',
        positions: points,
        index: null,
        colors: null,
        color: tint,
        radius: pathWidth * 0.004,
      },
      { kind: 'points', positions: points, index: null, colors: null, color: tint },
    ];
  });
}

export function walked(path: readonly PathPoint[], percent: number): readonly PathPoint[] {
  return path.slice(0, Math.max(1, Math.ceil((path.length * percent) / 100)));
}
