import { lineShare, ramp } from '@/base/colour_maps';
import type { Value } from '@/base/job_query';
import { naturalOrder } from '@/base/natural_order';

import { scaledPlaces, type Scale, type ScaledPlaces } from './axis_scale';
import { parallelAxis, type ParallelAxis } from './parallel_axis';

/** One axis of parallel coordinates: a field of what the lines are, jobs or groups of them. */
export interface Axis extends ParallelAxis, ScaledPlaces {
  readonly field: string;
}

/** A part of an axis: categories are counted from 0. */
export interface Brush {
  readonly field: string;
  readonly from: number;
  readonly to: number;
}

/** An axis over the values of all lines: numbers, if all that are there are numbers. */
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

/** Colours of lines by where they cross an axis, from its lower end to its upper one; what crosses it nowhere is grey. */
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

/** Where a line crosses an axis; NaN where it crosses nowhere. */
export function crossing({ places, none }: Axis, line: number): number {
  const place = places[line] ?? NaN;
  return Number.isNaN(place) ? (none ?? NaN) : place;
}

/** Whether an axis tells lines apart. */
export function varies({ places }: Axis): boolean {
  const first = places.find((place) => !Number.isNaN(place));
  return first !== undefined && places.some((place) => !Number.isNaN(place) && place !== first);
}

/** Places of the lines that are within all brushes; of several of one axis one is enough. */
export function within(axes: readonly Axis[], brushes: readonly Brush[], count: number): number[] {
  const byField = new Map(axes.map((axis) => [axis.field, axis]));
  const groups = new Map<string, Brush[]>();
  for (const brush of brushes) {
    // A field that nobody shows any more lets all through.
    if (byField.has(brush.field))
      groups.set(brush.field, [...(groups.get(brush.field) ?? []), brush]);
  }
  return Array.from({ length: count }, (_, line) => line).filter((line) =>
    [...groups].every(([field, some]) => {
      const axis = byField.get(field);
      const place = axis ? crossing(axis, line) : NaN;
      return some.some(({ from, to }) => place >= from && place <= to);
    }),
  );
}

export function writeBrush({ field, from, to }: Brush): string {
  return `${field}:${Number(from.toPrecision(6))}..${Number(to.toPrecision(6))}`;
}

/** Null where the text means nothing. */
export function readBrush(text: string): Brush | null {
  const found = /^(.*):(-?[\d.e+-]+?)\.\.(-?[\d.e+-]+)$/.exec(text);
  const [, field = '', from = '', to = ''] = found ?? [];
  const brush = { field, from: Number(from), to: Number(to) };
  return found && Number.isFinite(brush.from) && Number.isFinite(brush.to) ? brush : null;
}
