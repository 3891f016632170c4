import { formatValue } from '@/base/format';
import type { Line, ValueAxis } from '@/charts/line';

import { formatX } from './chart_texts';
import type { LineSource } from './lines';

/** A row per line: name, last value, minimum and maximum, each with its place on the x axis. */
export function runTable(
  lines: readonly Line[],
  sources: readonly Pick<LineSource, 'series'>[],
  axis: ValueAxis,
): string[][] {
  return lines.map((line, i) => {
    // As logged, without smoothing; the extremes of reduced series are among their points.
    const series = sources[i]?.series;
    const values = series?.value ?? line.y;
    const places = series ? series.step : line.x;
    const [low, high] = extremes(values);
    const place = (at: number): string =>
      at < 0 ? '' : formatX(places[at] ?? NaN, series ? 'step' : axis);
    const value = (at: number): string => (at < 0 ? '' : formatValue(values[at] ?? NaN));
    return [line.label, value(values.length - 1), value(low), place(low), value(high), place(high)];
  });
}

/** Indices of the first minimum and maximum; -1 if all values are NaN. */
function extremes(values: Float64Array): [number, number] {
  let [low, high] = [-1, -1];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? NaN;
    if (Number.isNaN(value)) continue;
    if (low < 0 || value < (values[low] ?? NaN)) low = i;
    if (high < 0 || value > (values[high] ?? NaN)) high = i;
  }
  return [low, high];
}
