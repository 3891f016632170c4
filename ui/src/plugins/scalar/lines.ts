import type { AsidePiece } from '@/api/restarts';
import type { ScalarSeries } from '@/api/scalars';
import { lowerBound, upperBound } from '@/base/search';
import { envelope, pick } from '@/charts/envelope';
import type { Aside, Line, Mark, ValueAxis } from '@/charts/line';

export interface LineStyle {
  readonly id: string;
  readonly label: string;
  readonly color: string;
  readonly dash: readonly number[];
}

export interface LineSource {
  readonly whole: ScalarSeries;
  /** The window's points, once loaded. */
  readonly detail: ScalarSeries | null;
  readonly series: ScalarSeries;
  readonly window: boolean;
  readonly reduced: boolean;
  readonly restarts: readonly number[];
  readonly aside: readonly AsidePiece[];
}

export interface LineOptions {
  readonly xAxis: ValueAxis;
  readonly nanLabel: (step: number) => string;
  readonly infiniteLabel: (step: number) => string;
  readonly restartLabel: (step: number) => string;
}

/** A line: x values for the axis, buckets, smoothing and marks. */
export function lineOf(source: LineSource, style: LineStyle, options: LineOptions): Line {
  const series = source.detail ? withEdges(source.detail, source.whole) : source.whole;
  const origin = source.whole.wall_time[0] ?? NaN;
  const points = inOrder(xOf(series, options, origin), series);
  const marks = [...oddMarks(points, options), ...restartMarks(points, source.restarts, options)];
  const { smoothed, ...drawn } = source.reduced ? bucketed(points) : { ...points, band: null };
  const line = {
    ...style,
    ...drawn,
    origin,
    marks,
    ...(source.aside.length > 0 && { aside: asideOf(source.aside, options, origin) }),
  };
  return smoothed ? { ...line, raw: drawn.y, y: smoothed } : { ...line, raw: null };
}

/** With another scalar as x axis, points set aside have no position. */
function asideOf(pieces: readonly AsidePiece[], options: LineOptions, origin: number): Aside[] {
  if (options.xAxis === 'value') return [];
  return pieces.map((piece) => {
    const { x, y } = inOrder(xOf(piece, options, origin), piece);
    return { x, y };
  });
}

type Columns = Pick<ScalarSeries, 'step' | 'wall_time' | 'value' | 'smoothed' | 'x'>;
type Points = Pick<Line, 'x' | 'y' | 'step' | 'wallTime'> & { readonly smoothed?: Float64Array };

function xOf(series: Columns, { xAxis }: LineOptions, origin: number): Float64Array {
  switch (xAxis) {
    case 'value':
      return series.x ?? new Float64Array(series.step.length).fill(NaN);
    case 'step':
      return series.step;
    case 'wall':
      return series.wall_time;
    case 'relative':
      return series.wall_time.map((time) => time - origin);
  }
}

/** Points by x, without those that have no x. Usually they are in order. */
function inOrder(x: Float64Array, series: Columns): Points {
  let ordered = true;
  for (let i = 0; i < x.length && ordered; i++) {
    ordered = (x[i] ?? NaN) >= (i === 0 ? -Infinity : (x[i - 1] ?? NaN));
  }
  const { smoothed } = series;
  if (ordered)
    return {
      x,
      y: series.value,
      step: series.step,
      wallTime: series.wall_time,
      ...(smoothed && { smoothed }),
    };
  const indices = Int32Array.from(x.keys())
    .filter((i) => !Number.isNaN(x[i]))
    .sort((a, b) => (x[a] ?? 0) - (x[b] ?? 0) || a - b);
  return {
    x: pick(x, indices),
    y: pick(series.value, indices),
    step: pick(series.step, indices),
    wallTime: pick(series.wall_time, indices),
    ...(smoothed && { smoothed: pick(smoothed, indices) }),
  };
}

function bucketed(points: Points): Points & Pick<Line, 'band'> {
  const { last, band } = envelope(points.x, points.y);
  return {
    x: band.x,
    y: pick(points.y, last),
    step: pick(points.step, last),
    wallTime: pick(points.wallTime, last),
    ...(points.smoothed && { smoothed: pick(points.smoothed, last) }),
    band,
  };
}

/** A window's points and the nearest ones beyond, so lines reach the edges. */
function withEdges(detail: ScalarSeries, whole: ScalarSeries): ScalarSeries {
  const [inside, all] = detail.x && whole.x ? [detail.x, whole.x] : [detail.step, whole.step];
  const first = inside[0];
  const last = inside[inside.length - 1];
  if (first === undefined || last === undefined) return detail;
  const before = lowerBound(all, first) - 1;
  const after = upperBound(all, last);
  const edged = (middle: Float64Array, around: Float64Array): Float64Array => {
    const head = around.subarray(Math.max(0, before), before + 1);
    const tail = around.subarray(after, after + 1);
    const joined = new Float64Array(head.length + middle.length + tail.length);
    joined.set(head);
    joined.set(middle, head.length);
    joined.set(tail, head.length + middle.length);
    return joined;
  };
  return {
    ...detail,
    step: edged(detail.step, whole.step),
    wall_time: edged(detail.wall_time, whole.wall_time),
    value: edged(detail.value, whole.value),
    ...(detail.x && whole.x && { x: edged(detail.x, whole.x) }),
    ...(detail.smoothed && { smoothed: edged(detail.smoothed, whole.smoothed ?? whole.value) }),
  };
}

/** A mark at the start of each run of NaN or infinite values. */
function oddMarks({ x, y, step }: Points, options: LineOptions): Mark[] {
  const marks: Mark[] = [];
  let before: Mark['kind'] | null = null;
  for (let i = 0; i < y.length; i++) {
    const value = y[i] ?? NaN;
    const kind = Number.isNaN(value) ? 'nan' : Number.isFinite(value) ? null : 'infinite';
    if (kind !== null && kind !== before) {
      const label = kind === 'nan' ? options.nanLabel : options.infiniteLabel;
      marks.push({ x: x[i] ?? NaN, kind, label: label(step[i] ?? NaN) });
    }
    before = kind;
  }
  return marks;
}

/** The line with marks at events of rules. */
export function withEvents(
  line: Line,
  events: readonly { readonly step: number; readonly label: string }[],
  xAxis: ValueAxis,
): Line {
  if (events.length === 0 || line.step.length === 0) return line;
  const marks = events.map((event) => {
    const at = Math.min(lowerBound(line.step, event.step), line.step.length - 1);
    return {
      x: xAxis === 'step' ? event.step : (line.x[at] ?? NaN),
      kind: 'event' as const,
      get label() {
        return event.label;
      },
    };
  });
  return { ...line, marks: [...line.marks, ...marks] };
}

/** Restarts at their first point within the window. */
function restartMarks(
  { x, step }: Points,
  restarts: readonly number[],
  options: LineOptions,
): Mark[] {
  return restarts.flatMap((restart) => {
    // With another scalar as x axis, points are not in step order.
    const at = step.reduce(
      (best, one, i) => (one >= restart && one < (step[best] ?? Infinity) ? i : best),
      -1,
    );
    if (at < 0 || step.every((one) => one > restart)) return [];
    // The point may have been reduced away.
    const place = options.xAxis === 'step' ? restart : (x[at] ?? NaN);
    return [{ x: place, kind: 'restart' as const, label: options.restartLabel(restart) }];
  });
}
