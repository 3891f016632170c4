import type { Body, Spot } from '@/charts/space';
import { formatValue } from '@/base/format';

import { boundsOf, spaceOf, type Surface } from './surface';

export interface AxisLabel {
  readonly at: Spot;
  readonly text: string;
}

const THICKNESS = 0.004;
/** How far from the axes their labels are. */
const BESIDE = 0.09;

/** Axes at the front and right edge and the left corner, with names and ends. */
export function axesOf(
  surfaces: readonly Surface[],
  color: string,
  lossName: string,
): { readonly bodies: readonly Body[]; readonly labels: readonly AxisLabel[] } {
  const { low, high, placeOf } = spaceOf(surfaces);
  const xs = boundsOf(surfaces.flatMap(({ x }) => x));
  const ys = boundsOf(surfaces.flatMap(({ y }) => y));
  if (![low, xs.low, ys.low].every(Number.isFinite)) return { bodies: [], labels: [] };
  const left = placeOf(xs.low, ys.low, low);
  const right = placeOf(xs.high, ys.low, low);
  const axes = [
    { name: 'x', bounds: xs, from: left, to: right, beside: [0, 0, BESIDE] },
    {
      name: 'y',
      bounds: ys,
      from: right,
      to: placeOf(xs.high, ys.high, low),
      beside: [BESIDE, 0, 0],
    },
    {
      name: lossName,
      bounds: { low, high },
      from: left,
      to: placeOf(xs.low, ys.low, high),
      beside: [-BESIDE, 0, BESIDE],
    },
  ] as const;
  return {
    bodies: axes.map(({ from, to }): Body => ({
      kind: 'tube',
      positions: Float32Array.of(...from, ...to),
      index: null,
      colors: null,
      color,
      radius: THICKNESS,
    })),
    labels: axes.flatMap(({ name, bounds, from: [a, b, c], to: [u, v, w], beside }) => {
      const [dx, dy, dz] = beside;
      const along = (share: number, text: string): AxisLabel => ({
        at: [a + share * (u - a) + dx, b + share * (v - b) + dy, c + share * (w - c) + dz],
        text,
      });
      return bounds.high > bounds.low
        ? [
            along(0.12, formatValue(bounds.low, 3)),
            along(0.5, name),
            along(0.88, formatValue(bounds.high, 3)),
          ]
        : [along(0.5, name)];
    }),
  };
}
