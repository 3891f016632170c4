import { lineShare, ramp } from '@/base/color_maps';
import { addTo } from '@/base/grouped';
import type { Value } from '@/base/job_query';
import { naturalOrder } from '@/base/natural_order';

import { scaledPlaces, type Scale, type ScaledPlaces } from './axis_scale';
import { parallelAxis, type ParallelAxis } from './parallel_axis';

export interface Axis extends ParallelAxis, ScaledPlaces {
  readonly field: string;
}

export interface Brush {
  readonly field: string;
  readonly from: number;
  readonly to: number;
}

export function axisOf(field: string, values: readonly Value[], scale: Scale = 'linear'): Axis {
  const there = values.filter((value) => value !== null && value !== undefined);
  if (there.every((value) => typeof value === 'number')) {
    const scaled = scaledPlaces(
      Float64Array.from(values, (value) => (typeof value === 'number' ? value : NaN)),
      scale,
    );
    return { field, ...parallelAxis(scaled.places, null), ...scaled };
  }
  const categories = [...new Set(there.map(String))].sort(naturalOrder);
  const place = new Map(categories.map((text, i) => [text, i]));
  const places = Float64Array.from(values, (value) => place.get(String(value)) ?? NaN);
  return {
    field,
    ...parallelAxis(places, categories),
    scale: 'linear',
    places,
    valueAt: (index) => index,
  };
}

/** Colors by the place on an axis; missing values are gray. */
export function tints({ places }: Axis, theme: string): string[] {
  const there = places.filter((place) => !Number.isNaN(place));
  const [least, most] = there.reduce(
    ([low, high], place) => [Math.min(low, place), Math.max(high, place)],
    [Infinity, -Infinity],
  );
  return Array.from(places, (place) => {
    if (Number.isNaN(place)) return '#888888';
    return `rgb(${ramp(lineShare(most > least ? (place - least) / (most - least) : 0, theme), 'viridis').join(', ')})`;
  });
}

export function crossing({ places, none }: Axis, line: number): number {
  const place = places[line] ?? NaN;
  return Number.isNaN(place) ? (none ?? NaN) : place;
}

export function varies({ places }: Axis): boolean {
  const first = places.find((place) => !Number.isNaN(place));
  return first !== undefined && places.some((place) => !Number.isNaN(place) && place !== first);
}

/** Indices of lines within the brushes: for each field, one of them has to match. */
export function within(axes: readonly Axis[], brushes: readonly Brush[], count: number): number[] {
  const byField = new Map(axes.map((axis) => [axis.field, axis]));
  const groups = new Map<string, Brush[]>();
  for (const brush of brushes) {
    if (byField.has(brush.field)) addTo(groups, brush.field, brush);
  }
  return Array.from({ length: count }, (_, line) => line).filter((line) =>
    [...groups].every(([field, some]) => {
      const axis = byField.get(field);
      const place = axis ? crossing(axis, line) : NaN;
      return some.some(({ from, to }) => place >= from && place <= to);
    }),
  );
}

export const writeBrush = ({ field, from, to }: Brush): string =>
  `${field}:${Number(from.toPrecision(6))}..${Number(to.toPrecision(6))}`;

export function readBrush(text: string): Brush | null {
  const found = /^(.*):(-?[\d.e+-]+?)\.\.(-?[\d.e+-]+)$/.exec(text);
  const [, field = '', from = '', to = ''] = found ?? [];
  const brush = { field, from: Number(from), to: Number(to) };
  return found && Number.isFinite(brush.from) && Number.isFinite(brush.to) ? brush : null;
}
