import { inRange } from './extent';
import type { Band, Line, Range } from './line';

/** From values to CSS pixels within the plot. */
export interface Projection {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  /** Visible values of x. */
  readonly visible: Range;
  readonly logY: boolean;
}

export const LINE_WIDTH = 1.4;
export const LIT_WIDTH = 2.4;
const RAW_ALPHA = 0.2;
const BAND_ALPHA = 0.14;
/** Above this, points hide the lines they are on. */
const MAX_SHOWN_POINTS = 120;

/** All lines: bands first, then raw values, then the lines, so that no line hides behind a band. */
export function paintLines(context: CanvasRenderingContext2D, lines: readonly Line[], to: Projection): void {
  context.save();
  context.lineJoin = 'round';
  context.globalAlpha = BAND_ALPHA;
  for (const line of lines) {
    if (!line.band) continue;
    context.fillStyle = line.colour;
    fillBand(context, line.band, to);
  }
  context.globalAlpha = RAW_ALPHA;
  for (const line of lines) {
    if (line.raw) strokeLine(context, line, line.raw, to, LINE_WIDTH, []);
  }
  context.globalAlpha = 1;
  const visible = lines.reduce((sum, line) => sum + countVisible(line, to), 0);
  for (const line of lines) {
    strokeLine(context, line, line.y, to, LINE_WIDTH, line.dash);
    paintPoints(context, line, to, visible <= MAX_SHOWN_POINTS);
  }
  context.restore();
}

/** The one line that is pointed at: wider and on top of all others. */
export function paintLit(context: CanvasRenderingContext2D, line: Line, to: Projection): void {
  context.save();
  context.lineJoin = 'round';
  strokeLine(context, line, line.y, to, LIT_WIDTH, line.dash);
  context.restore();
}

function strokeLine(
  context: CanvasRenderingContext2D,
  line: Line,
  values: Float64Array,
  to: Projection,
  width: number,
  dash: readonly number[],
): void {
  context.strokeStyle = line.colour;
  context.lineWidth = width;
  context.setLineDash(dash as number[]);
  context.beginPath();
  tracePath(context, line.x, values, to);
  context.stroke();
}

/** One point beyond each edge belongs to the picture: the line comes from and goes somewhere. */
function window(x: Float64Array, visible: Range): [number, number] {
  const [first, end] = inRange(x, visible);
  return [Math.max(0, first - 1), Math.min(x.length, end + 1)];
}

/**
 * A path through the points. Where several fall into one pixel column only the first, lowest,
 * highest and last are visited: the same pixels at a fraction of the cost.
 */
export function tracePath(
  path: Pick<CanvasRenderingContext2D, 'moveTo' | 'lineTo'>,
  x: Float64Array,
  values: Float64Array,
  to: Projection,
): void {
  const [first, end] = window(x, to.visible);
  let pen = false;
  let column = NaN;
  let bottom = NaN;
  let top = NaN;
  let last = NaN;
  const closeColumn = (): void => {
    if (Number.isNaN(column) || (bottom === last && top === last)) return;
    path.lineTo(column, bottom);
    path.lineTo(column, top);
    path.lineTo(column, last);
  };
  for (let i = first; i < end; i++) {
    const value = values[i] ?? NaN;
    const left = to.x(x[i] ?? NaN);
    const height = Number.isFinite(value) && !(to.logY && value <= 0) ? to.y(value) : NaN;
    if (Number.isNaN(height) || Number.isNaN(left)) {
      closeColumn();
      pen = false;
      column = NaN;
      continue;
    }
    const nextColumn = Math.round(left);
    if (pen && nextColumn === column) {
      bottom = Math.max(bottom, height);
      top = Math.min(top, height);
      last = height;
      continue;
    }
    closeColumn();
    if (pen) path.lineTo(left, height);
    else path.moveTo(left, height);
    pen = true;
    column = nextColumn;
    bottom = top = last = height;
  }
  closeColumn();
}

function fillBand(context: CanvasRenderingContext2D, band: Band, to: Projection): void {
  const [first, end] = window(band.x, to.visible);
  // A logarithmic axis has no place for zero: there the band ends at the bottom of the picture.
  const edge = (value = NaN): number => (to.logY && value <= 0 ? 1e5 : clamp(to.y(value)));
  const flush = (from: number, until: number): void => {
    if (until - from < 2) return;
    context.beginPath();
    for (let i = from; i < until; i++) context.lineTo(to.x(band.x[i] ?? 0), edge(band.high[i]));
    for (let i = until - 1; i >= from; i--) context.lineTo(to.x(band.x[i] ?? 0), edge(band.low[i]));
    context.closePath();
    context.fill();
  };
  let from = first;
  for (let i = first; i < end; i++) {
    if (!Number.isNaN(band.low[i])) continue;
    flush(from, i);
    from = i + 1;
  }
  flush(from, end);
}

function clamp(pixels: number): number {
  return Math.max(-1e5, Math.min(1e5, pixels));
}

function countVisible(line: Line, to: Projection): number {
  const [first, end] = inRange(line.x, to.visible);
  return end - first;
}

/** Points without a neighbour to draw a line to, or all of them. */
function paintPoints(context: CanvasRenderingContext2D, line: Line, to: Projection, all: boolean): void {
  const [first, end] = inRange(line.x, to.visible);
  const drawn = (i: number): boolean => {
    const value = line.y[i] ?? NaN;
    return Number.isFinite(value) && !(to.logY && value <= 0);
  };
  context.fillStyle = line.colour;
  for (let i = first; i < end; i++) {
    if (!drawn(i)) continue;
    const lonely = !(drawn(i - 1) && i > 0) && !drawn(i + 1);
    if (!lonely && !all) continue;
    context.beginPath();
    context.arc(to.x(line.x[i] ?? 0), to.y(line.y[i] ?? 0), lonely ? 2.5 : 1.8, 0, 2 * Math.PI);
    context.fill();
  }
}

/** Lines across the whole plot, broken, as nothing that was logged is. */
export function paintLevels(
  context: CanvasRenderingContext2D, levels: readonly number[], colour: string, to: Projection, width: number,
): void {
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.setLineDash([5, 4]);
  for (const level of levels) {
    const top = Math.round(to.y(level)) + 0.5;
    if (!Number.isFinite(top)) continue;
    context.beginPath();
    context.moveTo(0, top);
    context.lineTo(width, top);
    context.stroke();
  }
  context.restore();
}

/** Restarts and NaN runs, as small signs on the axis at the height given. */
export function paintMarks(
  context: CanvasRenderingContext2D,
  lines: readonly Line[],
  to: Projection,
  floor: number,
): void {
  context.save();
  context.lineWidth = 1.4;
  for (const line of lines) {
    context.fillStyle = line.colour;
    context.strokeStyle = line.colour;
    for (const mark of line.marks) {
      if (mark.x < to.visible[0] || mark.x > to.visible[1]) continue;
      const left = to.x(mark.x);
      context.beginPath();
      if (mark.kind === 'nan') {
        context.moveTo(left - 4, floor);
        context.lineTo(left + 4, floor);
        context.lineTo(left, floor - 7);
        context.closePath();
        context.fill();
      } else {
        // A flag that points back to where the job began again.
        context.moveTo(left, floor - 10);
        context.lineTo(left, floor);
        context.stroke();
        context.beginPath();
        context.moveTo(left, floor - 10);
        context.lineTo(left - 7, floor - 6.5);
        context.lineTo(left, floor - 3);
        context.closePath();
        context.fill();
      }
    }
  }
  context.restore();
}
