import { formatWhole } from '@/base/format';

import { xTicks, yTicks } from './axis_ticks';
import { edgeOf } from './band_columns';
import { isDense, MOST_DISTINCT } from './density';
import { tracesOf, type Band, type ChartFrame, type Line, type Trace } from './line';
import { roomForTexts, shownMarks, textLeft } from './marks';
import { measured, projectionOf } from './measure';
import type { PageColors } from './page_colors';
import {
  BAND_ALPHA,
  dotsOf,
  FAINT_ALPHA,
  LINE_WIDTH,
  MARK_PATHS,
  RAW_ALPHA,
  showsPoints,
  SMOOTHED_WIDTH,
  TEXT_TOP,
  tracePath,
  type Projection,
} from './paint';
import { svg, svgDocument, svgPath, svgText, tenth } from './svg';

const DENSE_ALPHA = 0.1;
const MARGIN = { left: 60, top: 40, right: 24 };
const NOTE = 18;
const AXIS = 48;
const ROW = 18;
const WIDTH = 960;
const HEIGHT = 500;
const PLOT = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - AXIS };

export interface PictureTexts {
  readonly title: string;
  /** Below the title; empty: none. */
  readonly note: string;
  /** Of the x axis. */
  readonly x: string;
}

export function linePicture(
  { title, note, x: xName }: PictureTexts,
  lines: readonly Line[],
  frame: ChartFrame,
  colors: PageColors,
): string {
  const margin = { ...MARGIN, top: MARGIN.top + (note === '' ? 0 : NOTE) };
  const measure = measured(lines, frame);
  const to = projectionOf(measure, PLOT.width, PLOT.height);
  const x = xTicks(measure.x, PLOT.width, frame.xAxis, measure.logX);
  const y = yTicks(measure.y, PLOT.height, measure.logY);
  const level = (value: number): string => `M0 ${tenth(to.y(value))}H${PLOT.width}`;
  const axes = [
    ...y.at.flatMap((at) => [
      svg('path', { d: level(at), stroke: colors.grid }),
      svg('text', { x: -8, y: to.y(at), dy: 4, 'text-anchor': 'end' }, svgText(y.label(at))),
    ]),
    ...x.at.map((at) =>
      svg(
        'text',
        { x: to.x(at), y: PLOT.height + 18, 'text-anchor': 'middle' },
        svgText(x.label(at)),
      ),
    ),
    svg(
      'text',
      { x: PLOT.width / 2, y: PLOT.height + 38, 'text-anchor': 'middle' },
      svgText(xName),
    ),
  ];
  const levels = (frame.levels ?? [])
    .filter((value) => Number.isFinite(to.y(value)))
    .map((value) =>
      svg('path', { d: level(value), stroke: colors.bad, 'stroke-dasharray': '5 4' }),
    );
  const named = lines.slice(0, MOST_DISTINCT);
  const legend = named.map(({ label, color, dash }, i) =>
    svg(
      'g',
      { transform: `translate(0 ${PLOT.height + AXIS + 16 + i * ROW})` },
      svg('path', { d: 'M0 -3.5H14', stroke: color, 'stroke-width': 3, ...dashes(dash) }),
      svg('text', { x: 22, fill: colors.ink }, svgText(label)),
    ),
  );
  const clip = { x: -1, y: -3, width: PLOT.width + 2, height: PLOT.height + 6 };
  const heading = { x: 16, y: 24, 'font-size': 14, 'font-weight': 600, fill: colors.ink };
  const height = HEIGHT + margin.top - MARGIN.top + 16 + named.length * ROW;
  return svgDocument(
    { width: WIDTH, height },
    colors.panel,
    { 'font-size': 11, fill: colors.dim },
    [
      svg('text', heading, svgText(title)),
      ...(note === '' ? [] : [svg('text', { x: 16, y: 24 + NOTE }, svgText(note))]),
      svg('clipPath', { id: 'plot' }, svg('rect', clip)),
      svg(
        'g',
        { transform: `translate(${margin.left} ${margin.top})` },
        ...axes,
        svg('g', { 'clip-path': 'url(#plot)' }, ...tracesAsSvg(lines, to), ...levels),
        ...marksAsSvg(lines, to),
        ...legend,
      ),
    ],
  );
}

function dashes(dash: readonly number[]): { 'stroke-dasharray': string | null } {
  return { 'stroke-dasharray': dash.length > 0 ? dash.join(' ') : null };
}

function tracesAsSvg(lines: readonly Line[], to: Projection): string[] {
  const traces = tracesOf(lines);
  const all = showsPoints(traces, to);
  const opacityOf = (line: Trace): number | null =>
    isDense(lines) ? DENSE_ALPHA : line.faint ? FAINT_ALPHA : null;
  const stroke = (line: Trace, y: Float64Array, more: Parameters<typeof svg>[1]): string =>
    svg('path', {
      d: svgPath((path) => tracePath(path, line.x, y, to)),
      fill: 'none',
      stroke: line.color,
      ...more,
    });
  return [
    ...lines.flatMap(({ band, color }) =>
      band ? [svg('path', { d: bandPath(band, to), fill: color, opacity: BAND_ALPHA })] : [],
    ),
    ...lines.flatMap((line) =>
      line.raw && !isDense(lines) ? [stroke(line, line.raw, { opacity: RAW_ALPHA })] : [],
    ),
    ...traces.flatMap((line) => {
      const opacity = opacityOf(line);
      const width = line.raw ? SMOOTHED_WIDTH : LINE_WIDTH;
      const style = { 'stroke-width': width, 'stroke-linejoin': 'round', opacity };
      return [
        stroke(line, line.y, { ...style, ...dashes(line.dash) }),
        ...dotsOf(line, to, all).map(({ left, top, radius }) =>
          svg('circle', { cx: left, cy: top, r: radius, fill: line.color, opacity }),
        ),
      ];
    }),
  ];
}

function marksAsSvg(lines: readonly Line[], to: Projection): string[] {
  const hasRoom = roomForTexts();
  return lines.flatMap((line) =>
    shownMarks(line, to).flatMap(({ kind, left, count, text, label }) => {
      const transform = `translate(${tenth(left)} ${PLOT.height + 1})`;
      const more = count > 1 ? ` (+${formatWhole(count - 1)})` : '';
      const mark = svg(
        'path',
        {
          d: MARK_PATHS[kind],
          transform,
          fill: line.color,
          stroke: kind === 'restart' ? line.color : null,
          'stroke-width': LINE_WIDTH,
        },
        svg('title', {}, svgText(`${line.label}: ${label}${more}`)),
      );
      if (!text || !hasRoom(left)) return [mark];
      const x = tenth(textLeft(left, to) - left);
      const place = { transform, x, y: TEXT_TOP, fill: line.color, 'font-size': 9 };
      return [mark, svg('text', { ...place, 'text-anchor': 'middle' }, svgText(text))];
    }),
  );
}

function bandPath(band: Band, to: Projection): string {
  const there = [...band.x.keys()].filter(
    (i) => Number.isFinite(edgeOf(band.low[i], to)) && Number.isFinite(edgeOf(band.high[i], to)),
  );
  const along = (indices: number[], values: Float64Array): string =>
    indices.map((i) => `${tenth(to.x(band.x[i] ?? 0))} ${tenth(edgeOf(values[i], to))}`).join('L');
  return there.length === 0
    ? ''
    : `M${along(there, band.high)}L${along(there.reverse(), band.low)}Z`;
}

export const lineTable = (lines: readonly Line[]): string[][] =>
  lines.flatMap((line) =>
    Array.from(line.x, (x, i) => [
      line.label,
      String(x),
      place(line.step[i]),
      place(line.wallTime[i]),
      value(line.y[i]),
      line.raw ? value(line.raw[i]) : '',
      line.band ? value(line.band.low[i]) : '',
      line.band ? value(line.band.high[i]) : '',
      line.count ? String(line.count[i] ?? '') : '',
    ]),
  );

export const TABLE_HEAD = [
  'run',
  'x',
  'step',
  'wall_time',
  'value',
  'logged',
  'low',
  'high',
  'n',
] as const;

function place(number: number | undefined): string {
  return number === undefined || Number.isNaN(number) ? '' : String(number);
}

/** Written as in the server's exports, which Python reads. */
function value(number: number | undefined): string {
  return String(number ?? '')
    .replace('NaN', 'nan')
    .replace('Infinity', 'inf');
}

/** Formulas in spreadsheets, and numbers that look like one; as in the server's exports. */
const FORMULA = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;
const NUMBER = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf)$/i;

/** Rows as CSV (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => {
    const inert = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
