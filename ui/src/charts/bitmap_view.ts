import type { Area, Size } from '@/base/shapes';

import { projectionOf, type Measure } from './measure';

export interface BitmapView extends Area {
  readonly measure: Measure;
  readonly ratio: number;
}

/** CSS pixels around the plotting area, so that lines and points at its edge are not cut. */
export const PADDING = 3;

export const paddingOf = (ratio: number): number => Math.ceil(PADDING * ratio);

export function bitmapSize({ width, height, left, top, ratio }: BitmapView): Size {
  const padding = 2 * paddingOf(ratio);
  return {
    width: Math.ceil(left + width * ratio) + padding,
    height: Math.ceil(top + height * ratio) + padding,
  };
}

export const isSameView = (a: BitmapView, b: BitmapView): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Where a bitmap of another view belongs in this one; null if the scales differ. */
export function placeIn(view: BitmapView, old: BitmapView): Area | null {
  if (view.measure.logX !== old.measure.logX || view.measure.logY !== old.measure.logY) return null;
  const to = projectionOf(view.measure, view.width, view.height);
  const left = to.x(old.measure.x[0]);
  const top = to.y(old.measure.y[1]);
  const wider = (to.x(old.measure.x[1]) - left) / old.width;
  const higher = (to.y(old.measure.y[0]) - top) / old.height;
  const size = bitmapSize(old);
  const padding = paddingOf(old.ratio);
  const place = {
    left: left - (wider * (padding + old.left)) / old.ratio,
    top: top - (higher * (padding + old.top)) / old.ratio,
    width: (wider * size.width) / old.ratio,
    height: (higher * size.height) / old.ratio,
  };
  return Object.values(place).every(Number.isFinite) ? place : null;
}
