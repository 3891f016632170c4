import { formatSetting, formatTick } from '@/base/format';
import { addTo } from '@/base/grouped';
import type { Value } from '@/base/job_query';
import { naturalOrder } from '@/base/natural_order';

import { scaledPlaces, type Scale, type ScaledPlaces } from './axis_scale';
import { parallelAxis, type AxisTicks, type ParallelAxis } from './parallel_axis';
import { linearTicks, logTicks } from './ticks';

export interface Axis extends ParallelAxis, ScaledPlaces {
  readonly field: string;
  /** As logged, one per line. */
  readonly values: readonly Value[];
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
      // Infinities have no place.
      Float64Array.from(values, (value) => (Number.isFinite(value) ? Number(value) : NaN)),
      scale,
    );
    return { field, values, ...parallelAxis(scaled.places, null), ...scaled };
  }
  const categories = [...new Set(there.map(String))].sort(naturalOrder);
  const place = new Map(categories.map((text, i) => [text, i]));
  const places = Float64Array.from(values, (value) => place.get(String(value)) ?? NaN);
  return {
    field,
    values,
    ...parallelAxis(places, categories),
    scale: 'linear',
    places,
    valueAt: (index) => index,
  };
}

/** Labeled places of an axis of numbers: round values, at decades if it is logarithmic. */
export function axisTicks(
  { categories, scale, places, valueAt, least, most }: Axis,
  count: number,
): AxisTicks {
  if (categories || !Number.isFinite(least)) return { at: [], label: String };
  if (scale === 'quantile') {
    const at = [0, 0.25, 0.5, 0.75, 1].filter((place) => place >= least && place <= most);
    return { at, label: (place) => formatSetting(Number(valueAt(place).toPrecision(3))) };
  }
  if (least === most) return { at: [least], label: (place) => formatSetting(valueAt(place)) };
  if (scale === 'log') {
    const { at } = logTicks([10 ** least, 10 ** most], count);
    return {
      at: at.map(Math.log10),
      label: (place) => formatSetting(Number((10 ** place).toPrecision(3))),
    };
  }
  const whole = places.every((place) => Number.isNaN(place) || Number.isInteger(place));
  const { at, increment } = linearTicks([least, most], count, whole);
  const largest = Math.max(...at.map(Math.abs));
  return { at, label: (place) => formatTick(place, increment, largest) };
}

export function crossing({ places, none }: Axis, line: number): number {
  const place = places[line] ?? NaN;
  return Number.isNaN(place) ? (none ?? NaN) : place;
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

/** Characters of a title that the first and the last axis have room for. */
const LONGEST_TITLE = 28;
/** CSS pixels of a narrow and a wide (Chinese) character. */
const [NARROW, WIDE] = [7, 13];

function titleWidth(name: string): number {
  const text = name.slice(0, LONGEST_TITLE);
  return (
    16 + NARROW * text.length + (WIDE - NARROW) * (text.match(/[\u2e80-\uffff]/g)?.length ?? 0)
  );
}

/** CSS pixels left of the first axis, whose title is centered above it. */
export const roomBefore = (name = ''): number => Math.max(60, titleWidth(name) / 2);

/** CSS pixels right of the last axis, for its title and its labels. */
export function roomAfter(axis: Axis | undefined, name = ''): number {
  const longest = Math.max(0, ...(axis?.categories ?? []).map((text) => Math.min(text.length, 18)));
  return Math.max(80, 24 + NARROW * longest, titleWidth(name) / 2);
}

export const writeBrush = ({ field, from, to }: Brush): string =>
  `${field}:${Number(from.toPrecision(6))}..${Number(to.toPrecision(6))}`;

export function readBrush(text: string): Brush | null {
  const found = /^(.*):(-?[\d.e+-]+?)\.\.(-?[\d.e+-]+)$/.exec(text);
  const [, field = '', from = '', to = ''] = found ?? [];
  const brush = { field, from: Number(from), to: Number(to) };
  return found && Number.isFinite(brush.from) && Number.isFinite(brush.to) ? brush : null;
}
