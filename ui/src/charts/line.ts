/** Data of a line chart, without jobs, tags or servers. */

export interface Band {
  readonly x: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export type MarkKind = 'restart' | 'nan' | 'infinite' | 'event' | 'fewer' | 'more';

export interface Mark {
  readonly x: number;
  readonly kind: MarkKind;
  readonly label: string;
  /** Written above the mark. */
  readonly note?: string;
}

/** Points set aside, drawn faintly behind the line. */
export interface Aside {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

export interface Line {
  readonly id: string;
  readonly label: string;
  readonly color: string;
  readonly dash: readonly number[];
  readonly x: Float64Array;
  /** Smoothed or raw values, same length as x. NaN is a gap. */
  readonly y: Float64Array;
  /** Raw values behind a smoothed line, or null. */
  readonly raw: Float64Array | null;
  readonly step: Float64Array;
  readonly wallTime: Float64Array;
  /** The wall time that relative times count from. */
  readonly origin: number;
  readonly band: Band | null;
  /** Of groups: the number of runs, and half the height of a symmetric band. */
  readonly count?: ArrayLike<number>;
  readonly deviation?: Float64Array;
  /** Indices of points that are joined only faintly with the one before. */
  readonly breaks?: readonly number[];
  readonly marks: readonly Mark[];
  readonly aside?: readonly Aside[];
}

export interface Trace extends Pick<Line, 'id' | 'color' | 'dash' | 'x' | 'y' | 'raw' | 'band'> {
  readonly faint?: boolean;
}

export function tracesOf(lines: readonly Line[]): readonly Trace[] {
  if (lines.every(({ aside = [], breaks = [] }) => aside.length === 0 && breaks.length === 0))
    return lines;
  const apart = lines.flatMap(({ id, color, aside = [], breaks = [], x, y }) => {
    const joints = breaks.length === 0 ? [] : [jointsOf(x, y, breaks)];
    return [...aside, ...joints].map((piece) => ({
      id,
      color,
      dash: [],
      ...piece,
      raw: null,
      band: null,
      faint: true,
    }));
  });
  return [...apart, ...lines.map(inPieces)];
}

/** A line with a gap at each of its breaks. */
export function inPieces(line: Line): Trace {
  const { breaks = [], x, y, raw } = line;
  if (breaks.length === 0) return line;
  const withGaps = (values: Float64Array, gapAt: (index: number) => number): Float64Array => {
    const wide = new Float64Array(values.length + breaks.length);
    let start = 0;
    for (const [i, end] of [...breaks, values.length].entries()) {
      wide.set(values.subarray(start, end), start + i);
      if (end < values.length) wide[end + i] = gapAt(end);
      start = end;
    }
    return wide;
  };
  const gap = (): number => NaN;
  return {
    ...line,
    x: withGaps(x, (at) => x[at] ?? NaN),
    y: withGaps(y, gap),
    raw: raw && withGaps(raw, gap),
  };
}

/** The points on both sides of each break, with gaps between them. */
function jointsOf(x: Float64Array, y: Float64Array, breaks: readonly number[]): Aside {
  const along = breaks.flatMap((at) => [x[at - 1] ?? NaN, x[at] ?? NaN, x[at] ?? NaN]);
  const values = breaks.flatMap((at) => [y[at - 1] ?? NaN, y[at] ?? NaN, NaN]);
  return { x: Float64Array.from(along), y: Float64Array.from(values) };
}

export const XAXES = ['step', 'relative', 'wall'] as const;
export type XAxis = (typeof XAXES)[number];

export type ValueAxis = XAxis | 'value';

export type Range = readonly [number, number];

export interface ChartFrame {
  readonly xAxis: ValueAxis;
  readonly logX?: boolean;
  readonly logY?: boolean;
  readonly clip?: boolean;
  /** Bounds of y; null: of the data. */
  readonly low?: number | null;
  readonly high?: number | null;
  readonly levels?: readonly number[];
  readonly zoom: Range | null;
  readonly beside?: readonly Line[];
}

export interface Hover {
  readonly x: number | null;
  readonly lineId: string | null;
}
