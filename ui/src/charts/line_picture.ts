import { xTicks, yTicks } from './axis_ticks';
import type { ChartFrame, Line } from './line';
import { measured, projectionOf } from './measure';
import { LINE_WIDTH, tracePath } from './paint';

/** Colours of a picture that stands outside the page. */
export interface PictureColours {
  readonly panel: string;
  readonly ink: string;
  readonly dim: string;
  readonly grid: string;
}

const LEFT = 60;
const TOP = 40;
const RIGHT = 24;
const AXIS = 28;
const ROW = 18;

/** A chart as an SVG document with its title and a legend: what papers and slides take. */
export function linePicture(title: string, lines: readonly Line[], frame: ChartFrame, colours: PictureColours, width = 960, height = 480): string {
  const plot = { width: width - LEFT - RIGHT, height: height - TOP - AXIS };
  const measure = measured(lines, frame);
  const to = projectionOf(measure, plot.width, plot.height);
  const x = xTicks(measure.x, plot.width, frame.xAxis, measure.logX);
  const y = yTicks(measure.y, plot.height, measure.logY);
  const parts: string[] = [];
  for (const at of y.at) {
    const top = fixed(to.y(at));
    parts.push(`<path d="M0 ${top}H${plot.width}" stroke="${colours.grid}"/>`);
    parts.push(`<text x="-8" y="${top}" dy="4" text-anchor="end">${escaped(y.label(at))}</text>`);
  }
  for (const at of x.at) {
    parts.push(`<text x="${fixed(to.x(at))}" y="${plot.height + 18}" text-anchor="middle">${escaped(x.label(at))}</text>`);
  }
  const clipped: string[] = [];
  for (const { band, colour } of lines) if (band) clipped.push(`<path d="${bandPath(band, to.x, to.y)}" fill="${colour}" opacity="0.14"/>`);
  for (const line of lines) {
    if (line.raw) clipped.push(`<path d="${pathOf(line.x, line.raw, to)}" fill="none" stroke="${line.colour}" opacity="0.2"/>`);
  }
  for (const line of lines) {
    const dash = line.dash.length > 0 ? ` stroke-dasharray="${line.dash.join(' ')}"` : '';
    clipped.push(`<path d="${pathOf(line.x, line.y, to)}" fill="none" stroke="${line.colour}" stroke-width="${LINE_WIDTH}" stroke-linejoin="round"${dash}/>`);
  }
  const legend = lines.map(
    ({ label, colour }, i) =>
      `<g transform="translate(0 ${plot.height + AXIS + 16 + i * ROW})"><rect y="-5" width="14" height="3" fill="${colour}"/><text x="22" fill="${colours.ink}">${escaped(label)}</text></g>`,
  );
  const full = height + 16 + lines.length * ROW;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${full}" viewBox="0 0 ${width} ${full}" font-family="system-ui, sans-serif" font-size="11" fill="${colours.dim}">`,
    `<rect width="100%" height="100%" fill="${colours.panel}"/>`,
    `<text x="16" y="24" font-size="14" font-weight="600" fill="${colours.ink}">${escaped(title)}</text>`,
    `<clipPath id="plot"><rect x="-1" y="-3" width="${plot.width + 2}" height="${plot.height + 6}"/></clipPath>`,
    `<g transform="translate(${LEFT} ${TOP})">`, ...parts, `<g clip-path="url(#plot)">`, ...clipped, '</g>', ...legend, '</g></svg>',
  ].join('\n');
}

function pathOf(x: Float64Array, y: Float64Array, to: Parameters<typeof tracePath>[3]): string {
  let path = '';
  tracePath(
    {
      moveTo: (left, top) => { path += `M${fixed(left)} ${fixed(top)}`; },
      lineTo: (left, top) => { path += `L${fixed(left)} ${fixed(top)}`; },
    },
    x, y, to,
  );
  return path;
}

function bandPath(band: { x: Float64Array; low: Float64Array; high: Float64Array }, x: (value: number) => number, y: (value: number) => number): string {
  const there = [...band.x.keys()].filter((i) => Number.isFinite(y(band.low[i] ?? NaN)) && Number.isFinite(y(band.high[i] ?? NaN)));
  const along = (indices: number[], edge: Float64Array): string => indices.map((i) => `${fixed(x(band.x[i] ?? 0))} ${fixed(y(edge[i] ?? 0))}`).join('L');
  return there.length === 0 ? '' : `M${along(there, band.high)}L${along(there.reverse(), band.low)}Z`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}

/** Names from logs are text, whatever they hold. */
function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** The points of the lines as CSV: what is drawn. */
export function lineTable(lines: readonly Line[]): string[][] {
  return lines.flatMap((line) =>
    Array.from(line.x, (x, i) => [
      line.label, String(x), text(line.step[i]), text(line.wallTime[i]), text(line.y[i]),
      line.raw ? text(line.raw[i]) : '', line.band ? text(line.band.low[i]) : '', line.band ? text(line.band.high[i]) : '',
    ]),
  );
}

export const TABLE_HEAD = ['run', 'x', 'step', 'wall_time', 'value', 'logged', 'low', 'high'] as const;

function text(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '' : String(value);
}

/** Rows as CSV (RFC 4180). */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const cell = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
