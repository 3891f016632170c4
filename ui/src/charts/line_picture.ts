import { xTicks, yTicks } from './axis_ticks';
import { tracesOf, type Band, type ChartFrame, type Line } from './line';
import { measured, projectionOf } from './measure';
import {
  dotsOf,
  FAINT_ALPHA,
  LINE_WIDTH,
  MARK_PATHS,
  showsPoints,
  tracePath,
  visibleMarks,
  type Projection,
} from './paint';

/** Colours of a picture that stands outside the page. */
export interface PictureColours {
  readonly panel: string;
  readonly ink: string;
  readonly dim: string;
  readonly grid: string;
  /** Of bounds that values should stay within. */
  readonly bad: string;
}

const LEFT = 60;
const TOP = 40;
const RIGHT = 24;
const AXIS = 28;
const ROW = 18;

/** A chart as an SVG document with its title and a legend: what papers and slides take. */
export function linePicture(
  title: string,
  lines: readonly Line[],
  frame: ChartFrame,
  colours: PictureColours,
  width = 960,
  height = 480,
): string {
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
    parts.push(
      `<text x="${fixed(to.x(at))}" y="${plot.height + 18}" text-anchor="middle">${escaped(x.label(at))}</text>`,
    );
  }
  const clipped: string[] = [];
  for (const { band, colour } of lines)
    if (band) clipped.push(`<path d="${bandPath(band, to)}" fill="${colour}" opacity="0.14"/>`);
  for (const line of lines) {
    if (line.raw)
      clipped.push(
        `<path d="${pathOf(line.x, line.raw, to)}" fill="none" stroke="${line.colour}" opacity="0.2"/>`,
      );
  }
  const traces = tracesOf(lines);
  const all = showsPoints(traces, to);
  for (const line of traces) {
    const opacity = line.faint ? ` opacity="${FAINT_ALPHA}"` : '';
    const dash = line.dash.length > 0 ? ` stroke-dasharray="${line.dash.join(' ')}"` : '';
    clipped.push(
      `<path d="${pathOf(line.x, line.y, to)}" fill="none" stroke="${line.colour}" stroke-width="${LINE_WIDTH}" stroke-linejoin="round"${dash}${opacity}/>`,
    );
    for (const { left, top, radius } of dotsOf(line, to, all))
      clipped.push(
        `<circle cx="${fixed(left)}" cy="${fixed(top)}" r="${radius}" fill="${line.colour}"${opacity}/>`,
      );
  }
  for (const level of frame.levels ?? []) {
    const top = to.y(level);
    if (Number.isFinite(top))
      clipped.push(
        `<path d="M0 ${fixed(top)}H${plot.width}" stroke="${colours.bad}" stroke-dasharray="5 4"/>`,
      );
  }
  // As on the page the signs stand on the axis, whose line they may cross.
  const marks = lines.flatMap((line) =>
    visibleMarks(line, to).map(({ x: at, kind, label }) => {
      const stroke =
        kind === 'restart' ? ` stroke="${line.colour}" stroke-width="${LINE_WIDTH}"` : '';
      return `<path d="${MARK_PATHS[kind]}" transform="translate(${fixed(to.x(at))} ${plot.height + 1})" fill="${line.colour}"${stroke}><title>${escaped(`${line.label}: ${label}`)}</title></path>`;
    }),
  );
  const legend = lines.map(
    ({ label, colour, dash }, i) =>
      `<g transform="translate(0 ${plot.height + AXIS + 16 + i * ROW})"><path d="M0 -3.5H14" stroke="${colour}" stroke-width="3"${dash.length > 0 ? ` stroke-dasharray="${dash.join(' ')}"` : ''}/><text x="22" fill="${colours.ink}">${escaped(label)}</text></g>`,
  );
  const full = height + 16 + lines.length * ROW;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${full}" viewBox="0 0 ${width} ${full}" font-family="system-ui, sans-serif" font-size="11" fill="${colours.dim}">`,
    `<rect width="100%" height="100%" fill="${colours.panel}"/>`,
    `<text x="16" y="24" font-size="14" font-weight="600" fill="${colours.ink}">${escaped(title)}</text>`,
    `<clipPath id="plot"><rect x="-1" y="-3" width="${plot.width + 2}" height="${plot.height + 6}"/></clipPath>`,
    `<g transform="translate(${LEFT} ${TOP})">`,
    ...parts,
    `<g clip-path="url(#plot)">`,
    ...clipped,
    '</g>',
    ...marks,
    ...legend,
    '</g></svg>',
  ].join('\n');
}

function pathOf(x: Float64Array, y: Float64Array, to: Parameters<typeof tracePath>[3]): string {
  let path = '';
  tracePath(
    {
      moveTo: (left, top) => {
        path += `M${fixed(left)} ${fixed(top)}`;
      },
      lineTo: (left, top) => {
        path += `L${fixed(left)} ${fixed(top)}`;
      },
    },
    x,
    y,
    to,
  );
  return path;
}

/** A logarithmic axis has no place for zero: there the band ends at the bottom of the picture. */
function bandPath(band: Band, to: Projection): string {
  const edge = (value = NaN): number =>
    to.logY && value <= 0 ? 1e5 : Math.max(-1e5, Math.min(1e5, to.y(value)));
  const there = [...band.x.keys()].filter(
    (i) => Number.isFinite(edge(band.low[i])) && Number.isFinite(edge(band.high[i])),
  );
  const along = (indices: number[], values: Float64Array): string =>
    indices.map((i) => `${fixed(to.x(band.x[i] ?? 0))} ${fixed(edge(values[i]))}`).join('L');
  return there.length === 0
    ? ''
    : `M${along(there, band.high)}L${along(there.reverse(), band.low)}Z`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}

/** Names from logs are text, whatever they hold. */
function escaped(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

/** The points of the lines as CSV: what is drawn. */
export function lineTable(lines: readonly Line[]): string[][] {
  return lines.flatMap((line) =>
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
}

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

/** Steps and times that are not there are left out. */
function place(number: number | undefined): string {
  return number === undefined || Number.isNaN(number) ? '' : String(number);
}

/** A value may be NaN; as the server's exports write it, and Python reads it. */
function value(number: number | undefined): string {
  if (number === undefined) return '';
  return Number.isFinite(number)
    ? String(number)
    : Number.isNaN(number)
      ? 'nan'
      : number > 0
        ? 'inf'
        : '-inf';
}

/** What a spreadsheet takes for a formula, and what is a number all the same; as in the server's exports. */
const FORMULA = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;
const NUMBER = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf)$/i;

/** Rows as CSV (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => {
    const inert = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
