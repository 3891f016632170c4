import { formatColumn } from '@/base/format';
import type { Line, ValueAxis } from '@/charts/line';

import { formatX } from './chart_texts';
import type { LineSource } from './lines';

/** A row per line: name, last value, minimum and maximum, each with its place on the x axis. */
export function runTable(
  lines: readonly Line[],
  sources: readonly Pick<LineSource, 'series'>[],
  axis: ValueAxis,
): string[][] {
  const rows = lines.map((line, i) => {
    // As logged, without smoothing; the extremes of reduced series are among their points.
    const series = sources[i]?.series;
    const values = series?.value ?? line.y;
    const places = series ? series.step : line.x;
    const [low, high] = extremes(values);
    const place = (at: number): string =>
      at < 0 ? '' : formatX(places[at] ?? NaN, series ? 'step' : axis);
    return {
      label: line.label,
      values: [values.length - 1, low, high].map((at) => values[at] ?? null),
      places: [place(low), place(high)],
    };
  });
  const [last = [], low = [], high = []] = [0, 1, 2].map((column) =>
    formatColumn(rows.map(({ values }) => values[column] ?? null)),
  );
  return rows.map(({ label, places: [lowPlace = '', highPlace = ''] }, i) => [
    label,
    ...[last[i] ?? '', low[i] ?? '', lowPlace, high[i] ?? '', highPlace],
  ]);
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
