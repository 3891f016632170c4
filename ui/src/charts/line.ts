/** What a line chart draws. Plain data: a chart knows neither jobs nor tags nor servers. */

export interface Band {
  readonly x: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export type MarkKind = 'restart' | 'nan' | 'infinite';

/** Something that happened at an x, shown on the axis. */
export interface Mark {
  readonly x: number;
  readonly kind: MarkKind;
  readonly label: string;
}

/** Points apart from a line, behind which they are drawn faintly. */
export interface Aside {
  /** Never decreasing. */
  readonly x: Float64Array;
  readonly y: Float64Array;
}

export interface Line {
  readonly id: string;
  readonly label: string;
  readonly colour: string;
  readonly dash: readonly number[];
  /** Never decreasing. */
  readonly x: Float64Array;
  /** What is drawn: smoothed, or the values themselves. NaN is a gap. Same length as x. */
  readonly y: Float64Array;
  /** The values as logged, drawn faintly behind a smoothed line; null: y are these. */
  readonly raw: Float64Array | null;
  /** For the tooltip, same length as x. */
  readonly step: Float64Array;
  readonly wallTime: Float64Array;
  /** First wall time of the whole series, which relative times count from. */
  readonly origin: number;
  /** Extremes of what was reduced away; null if nothing was. */
  readonly band: Band | null;
  /** How many runs each point is of, where a line stands for several; same length as x. */
  readonly count?: ArrayLike<number>;
  readonly marks: readonly Mark[];
  readonly aside?: readonly Aside[];
}

/** What of a line is needed to paint it. */
export interface Trace extends Pick<Line, 'id' | 'colour' | 'dash' | 'x' | 'y' | 'raw' | 'band'> {
  readonly faint?: boolean;
}

/** All that is painted of lines; the lines themselves, if nothing lies apart from them. */
export function tracesOf(lines: readonly Line[]): readonly Trace[] {
  if (lines.every(({ aside = [] }) => aside.length === 0)) return lines;
  const apart = lines.flatMap(({ id, colour, aside = [] }) =>
    aside.map(({ x, y }) => ({ id, colour, dash: [], x, y, raw: null, band: null, faint: true })),
  );
  return [...apart, ...lines];
}

export type XAxis = 'step' | 'relative' | 'wall';

/** `value`: another number than a step or a time. */
export type ValueAxis = XAxis | 'value';

export type Range = readonly [number, number];

/** How a chart is drawn, apart from its lines. */
export interface ChartFrame {
  readonly xAxis: ValueAxis;
  readonly logX: boolean;
  readonly logY: boolean;
  /** Whether the y axis leaves out the outermost values, so that one spike doesn't flatten all else. */
  readonly clip?: boolean;
  /** Values of y that are worth a line across. */
  readonly levels?: readonly number[];
  /** The visible part of the x axis; null: all of it. */
  readonly zoom: Range | null;
  /** Lines of other charts, which have the same axes. */
  readonly beside?: readonly Line[];
}

/** What is pointed at: by the pointer, by an arrow key, or in the job panel. */
export interface Hover {
  /** Where the crosshair stands; null: nowhere, only a line is lit. */
  readonly x: number | null;
  readonly lineId: string | null;
}
