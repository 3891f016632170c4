import type { Series } from '@/api/series';
import { formatCount, formatDuration, formatStep, formatTime, formatValue } from '@/base/format';
import { lowerBound } from '@/base/search';
import { countOf, percentilesOf, type Buckets } from '@/charts/buckets';
import type { HistogramLayer } from '@/charts/histogram_scene';
import type { Line, XAxis } from '@/charts/line';

import type { LazyRows } from './lazy_rows';

export interface HistogramSeries extends Series {
  /** Null: damaged. */
  readonly buckets: readonly (Buckets | null)[];
  readonly nan_count: readonly (number | null)[];
  readonly positive_infinity_count: readonly (number | null)[];
  readonly negative_infinity_count: readonly (number | null)[];
}

/** A drawable step, with its row in the series. */
export interface StepLayer extends HistogramLayer {
  readonly row: number;
}

/** The steps of a series by their positions on an axis, without damaged ones. */
export function layersOf(series: HistogramSeries, axis: XAxis): StepLayer[] {
  const origin = series.wall_time.find((time) => time !== null) ?? NaN;
  return series.step
    .flatMap((step, row) => {
      const buckets = series.buckets[row];
      const x = placeOf(step, series.wall_time[row] ?? NaN, origin, axis);
      return buckets && Number.isFinite(x) ? [{ x, label: formatStep(step), buckets, row }] : [];
    })
    .sort((a, b) => a.x - b.x || a.row - b.row);
}

function placeOf(step: number, time: number, origin: number, axis: XAxis): number {
  if (axis === 'step') return step;
  return axis === 'wall' ? time : time - origin;
}

export function placeLabel(x: number, axis: XAxis): string {
  if (axis === 'step') return formatStep(x);
  return axis === 'relative' ? formatDuration(x) : formatTime(x).slice(11);
}

/** Step, count, least, median, largest and number of non-finite values of each layer. */
export function histogramRows(series: HistogramSeries, layers: readonly StepLayer[]): string[][] {
  const odd = [series.nan_count, series.positive_infinity_count, series.negative_infinity_count];
  return layers.map(({ row, label, buckets }) => [
    label,
    formatCount(countOf(buckets)),
    ...percentilesOf(buckets, [0, 0.5, 1]).map((value) => formatValue(value)),
    String(odd.reduce((sum, counts) => sum + (counts[row] ?? 0), 0)),
  ]);
}

export const MOST_BUCKETS = 200_000;

/** Every bucket: step, left and right edge, count; at most `MOST_BUCKETS`. */
export function bucketRows(layers: readonly StepLayer[]): LazyRows & { readonly total: number } {
  const ends: number[] = [];
  let total = 0;
  for (const { buckets } of layers) ends.push((total += buckets.length));
  return {
    total,
    length: Math.min(total, MOST_BUCKETS),
    at: (index) => {
      const which = lowerBound(ends, index + 1);
      const { label = '', buckets = [] } = layers[which] ?? {};
      const [left = NaN, right = NaN, count = 0] = buckets[index - (ends[which - 1] ?? 0)] ?? [];
      return [label, String(left), String(right), String(count)];
    },
  };
}

/** Standard deviations of a normal distribution: -∞, -1.5, ... 1.5, ∞. */
export const SHARES = [0, 0.0668, 0.1587, 0.3085, 0.5, 0.6915, 0.8413, 0.9332, 1];

/** A row per layer: its step and its percentiles. */
export const percentileRows = (layers: readonly StepLayer[]): string[][] =>
  layers.map(({ label, buckets }) => [
    label,
    ...percentilesOf(buckets, SHARES).map((value) => formatValue(value)),
  ]);

/** Lines of the percentiles over time, with bands between opposite ones. */
export function percentileLines(
  layers: readonly StepLayer[],
  series: HistogramSeries,
  style: { readonly color: string; readonly nameOf: (share: number) => string },
): Line[] {
  const x = Float64Array.from(layers, (layer) => layer.x);
  const step = Float64Array.from(layers, (layer) => series.step[layer.row] ?? NaN);
  const wallTime = Float64Array.from(layers, (layer) => series.wall_time[layer.row] ?? NaN);
  const rows = layers.map((layer) => percentilesOf(layer.buckets, SHARES));
  const values = SHARES.map((_, i) => Float64Array.from(rows, (row) => row[i] ?? NaN));
  return SHARES.map((share, i) => {
    const mirror = SHARES.length - 1 - i;
    const [low, high] = [values[i], values[mirror]];
    return {
      id: String(share),
      label: style.nameOf(share),
      color: style.color,
      dash: i === mirror ? [] : [1, 3],
      x,
      step,
      wallTime,
      y: values[i] ?? new Float64Array(),
      raw: null,
      origin: series.wall_time[0] ?? NaN,
      band: low && high && i < mirror ? { x, low, high } : null,
      marks: [],
    };
  });
}
