/** Data of a line chart, without jobs, tags or servers. */

export interface Band {
  readonly x: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export type MarkKind = 'restart' | 'nan' | 'infinite' | 'event';

export interface Mark {
  readonly x: number;
  readonly kind: MarkKind;
  readonly label: string;
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
  readonly marks: readonly Mark[];
  readonly aside?: readonly Aside[];
}

export interface Trace extends Pick<Line, 'id' | 'color' | 'dash' | 'x' | 'y' | 'raw' | 'band'> {
  readonly faint?: boolean;
}

export function tracesOf(lines: readonly Line[]): readonly Trace[] {
  if (lines.every(({ aside = [] }) => aside.length === 0)) return lines;
  const apart = lines.flatMap(({ id, color, aside = [] }) =>
    aside.map(({ x, y }) => ({ id, color, dash: [], x, y, raw: null, band: null, faint: true })),
  );
  return [...apart, ...lines];
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
