import { bandColumns } from './band_columns';
import { isDense, paintDensity } from './density';
import { inRange } from './extent';
import { inPieces, type Band, type Line, type MarkKind, type Range, type Trace } from './line';
import { roomForTexts, shownMarks, textLeft } from './marks';
import { dashed, dashStart, hairline, MOST_WIDE, strokeHairlines, type Path } from './strokes';

export interface Projection {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly visible: Range;
  /** Of the plot, in the pixels that x and y return. */
  readonly height: number;
  readonly logY: boolean;
}

export type Paper = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

export const LINE_WIDTH = 1.4;
export const SMOOTHED_WIDTH = 2;
export const LIT_WIDTH = 3;
export const RAW_ALPHA = 0.2;
export const BAND_ALPHA = 0.14;
export const FAINT_ALPHA = 0.45;
/** More points would hide their lines. */
const MAX_SHOWN_POINTS = 120;

/** Bands are behind raw values, those behind lines. `ratio`: device pixels per CSS pixel. */
export function paintLines(
  context: Paper,
  lines: readonly Trace[],
  to: Projection,
  ratio: number,
): void {
  if (isDense(lines.filter(({ faint }) => !faint)) && typeof OffscreenCanvas !== 'undefined') {
    paintDensity(context, lines, to, ratio);
    return;
  }
  context.save();
  context.lineJoin = 'round';
  context.globalAlpha = BAND_ALPHA;
  for (const { band, color } of lines) {
    if (!band) continue;
    context.strokeStyle = color;
    strokeBand(context, band, to, ratio);
  }
  const wide = vertices(lines, to) <= MOST_WIDE;
  context.globalAlpha = RAW_ALPHA;
  for (const line of lines) {
    if (line.raw)
      strokeLine(context, line, line.raw, to, { width: 0, dash: [], wide: false, ratio });
  }
  const all = showsPoints(lines, to);
  for (const line of lines) {
    context.globalAlpha = line.faint ? FAINT_ALPHA : 1;
    strokeLine(context, line, line.y, to, {
      // Many points without smoothing are a texture, which wide lines would fill.
      width: line.raw ? SMOOTHED_WIDTH : wide ? LINE_WIDTH : 0,
      dash: line.dash,
      wide,
      ratio,
    });
    paintDots(context, line, to, all);
  }
  context.restore();
}

export function paintLit(
  context: CanvasRenderingContext2D,
  line: Line,
  to: Projection,
  ratio: number,
): void {
  context.save();
  context.lineJoin = 'round';
  const wide = vertices([line], to) <= MOST_WIDE / 10;
  const trace = inPieces(line);
  strokeLine(context, trace, trace.y, to, { width: LIT_WIDTH, dash: line.dash, wide, ratio });
  context.restore();
}

interface Stroke {
  readonly width: number;
  readonly dash: readonly number[];
  readonly wide: boolean;
  readonly ratio: number;
}

function strokeLine(
  context: Paper,
  line: Trace,
  values: Float64Array,
  to: Projection,
  { width, dash, wide, ratio }: Stroke,
): void {
  context.strokeStyle = line.color;
  if (!wide) {
    const start = dashStart(line.id);
    strokeHairlines(
      context,
      (path) => tracePath(dashed(path, dash, start), line.x, values, to),
      width,
      ratio,
    );
    return;
  }
  context.lineWidth = width;
  context.setLineDash(dash as number[]);
  context.beginPath();
  tracePath(context, line.x, values, to);
  context.stroke();
}

export function vertices(lines: readonly Trace[], to: Projection): number {
  const most = 4 * to.x(to.visible[1]);
  return lines.reduce(
    (sum, line) => sum + Math.min(most, countVisible(line, to)) * (line.raw ? 2 : 1),
    0,
  );
}

/** One point beyond each edge is needed to draw the line to it. */
function window(x: Float64Array, visible: Range): [number, number] {
  const [first, end] = inRange(x, visible);
  return [Math.max(0, first - 1), Math.min(x.length, end + 1)];
}

/** In each pixel column only the first, lowest, highest and last point are visited. */
export function tracePath(path: Path, x: Float64Array, values: Float64Array, to: Projection): void {
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

function strokeBand(context: Paper, band: Band, to: Projection, ratio: number): void {
  const { first, low, high } = bandColumns(band, to, ratio);
  context.lineWidth = hairline(ratio);
  context.setLineDash([]);
  context.beginPath();
  for (let i = 0; i < low.length; i++) {
    const bottom = low[i] ?? NaN;
    const top = high[i] ?? NaN;
    if (!(bottom > top)) continue;
    const left = (first + i + 0.5) / ratio;
    context.moveTo(left, bottom);
    context.lineTo(left, top);
  }
  context.stroke();
}

function countVisible(line: Trace, to: Projection): number {
  const [first, end] = inRange(line.x, to.visible);
  return end - first;
}

export interface Dot {
  readonly left: number;
  readonly top: number;
  readonly radius: number;
}

export function showsPoints(lines: readonly Trace[], to: Projection): boolean {
  return lines.reduce((sum, line) => sum + countVisible(line, to), 0) <= MAX_SHOWN_POINTS;
}

export function dotsOf(line: Trace, to: Projection, all: boolean): Dot[] {
  const [first, end] = inRange(line.x, to.visible);
  const drawn = (i: number): boolean => {
    const value = line.y[i] ?? NaN;
    return Number.isFinite(value) && !(to.logY && value <= 0);
  };
  const dots: Dot[] = [];
  for (let i = first; i < end; i++) {
    if (!drawn(i)) continue;
    const lonely = !(drawn(i - 1) && i > 0) && !drawn(i + 1);
    if (lonely || all)
      dots.push({
        left: to.x(line.x[i] ?? 0),
        top: to.y(line.y[i] ?? 0),
        radius: lonely ? 2.5 : 1.8,
      });
  }
  return dots;
}

function paintDots(context: Paper, line: Trace, to: Projection, all: boolean): void {
  context.fillStyle = line.color;
  for (const { left, top, radius } of dotsOf(line, to, all)) {
    context.beginPath();
    context.arc(left, top, radius, 0, 2 * Math.PI);
    context.fill();
  }
}

export function paintLevels(
  context: CanvasRenderingContext2D,
  levels: readonly number[],
  color: string,
  to: Projection,
  width: number,
): void {
  context.save();
  context.strokeStyle = color;
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

export const MARK_PATHS: Readonly<Record<MarkKind, string>> = {
  nan: 'M-4 0H4L0 -7Z',
  infinite: 'M-4 -7L4 0V-7L-4 0Z',
  restart: 'M0 0V-10L-7 -6.5L0 -3Z',
  event: 'M0 0L-4 -4.5L0 -9L4 -4.5Z',
  fewer: 'M-5 0V-8H0V-4H5V0Z',
  more: 'M-5 0V-4H0V-8H5V0Z',
};

const TEXT_FONT = '9px system-ui, sans-serif';
/** Of a text's baseline, above the mark. */
export const TEXT_TOP = -11;

export function paintMarks(
  context: CanvasRenderingContext2D,
  lines: readonly Line[],
  to: Projection,
  floor: number,
): void {
  context.save();
  context.lineWidth = 1.4;
  context.font = TEXT_FONT;
  context.textAlign = 'center';
  const hasRoom = roomForTexts();
  for (const line of lines) {
    context.fillStyle = line.color;
    context.strokeStyle = line.color;
    for (const { kind, left, text } of shownMarks(line, to)) {
      const path = new Path2D(MARK_PATHS[kind]);
      context.translate(left, floor);
      context.fill(path);
      if (kind === 'restart') context.stroke(path);
      if (text && hasRoom(left)) context.fillText(text, textLeft(left, to) - left, TEXT_TOP);
      context.translate(-left, -floor);
    }
  }
  context.restore();
}
