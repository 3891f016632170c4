import type { Measure } from './measure';
import { projectionOf } from './measure';

/** Which part of a plot a bitmap shows, and how large. */
export interface BitmapView {
  readonly measure: Measure;
  /** Of the plotting area, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Where that area begins within a pixel of the screen, 0 to 1. */
  readonly left: number;
  readonly top: number;
  /** Pixels of the screen per CSS pixel. */
  readonly ratio: number;
}

/** A line or a point at the very edge must not lose half of itself: so much is painted around, in CSS pixels. */
export const AIR = 3;

/** Pixels of the screen around the plotting area. */
export function airOf(ratio: number): number {
  return Math.ceil(AIR * ratio);
}

/** Of the whole bitmap, in pixels of the screen. */
export function bitmapSize({ width, height, left, top, ratio }: BitmapView): {
  width: number;
  height: number;
} {
  const air = 2 * airOf(ratio);
  return {
    width: Math.ceil(left + width * ratio) + air,
    height: Math.ceil(top + height * ratio) + air,
  };
}

export function isSameView(a: BitmapView, b: BitmapView): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A rectangle of a plotting area, in its CSS pixels. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Where a bitmap of another view belongs in this one: values where this one has them. Null where
 * the one has a logarithmic axis and the other has not.
 */
export function placeIn(view: BitmapView, old: BitmapView): Place | null {
  if (view.measure.logX !== old.measure.logX || view.measure.logY !== old.measure.logY) return null;
  const to = projectionOf(view.measure, view.width, view.height);
  const left = to.x(old.measure.x[0]);
  const top = to.y(old.measure.y[1]);
  const wider = (to.x(old.measure.x[1]) - left) / old.width;
  const higher = (to.y(old.measure.y[0]) - top) / old.height;
  const size = bitmapSize(old);
  const air = airOf(old.ratio);
  const place = {
    left: left - (wider * (air + old.left)) / old.ratio,
    top: top - (higher * (air + old.top)) / old.ratio,
    width: (wider * size.width) / old.ratio,
    height: (higher * size.height) / old.ratio,
  };
  return Object.values(place).every(Number.isFinite) ? place : null;
}
