import { bandColumns } from './band_columns';
import type { Band, Trace } from './line';
import type { Paper, Projection } from './paint';

/** More lines cannot be told apart. */
export const MOST_DISTINCT = 100;

export const isDense = (lines: { readonly length: number }): boolean =>
  lines.length > MOST_DISTINCT;

/** Opacity of a pixel that a single line crosses. */
const FAINTEST = 0.16;

export interface Density {
  readonly width: number;
  readonly height: number;
  /** How many lines cross each device pixel, row by row. */
  readonly counts: Uint16Array;
}

export function densityOf(lines: readonly Trace[], to: Projection, ratio: number): Density {
  const width = Math.max(1, Math.ceil(to.x(to.visible[1]) * ratio));
  const height = Math.max(1, Math.ceil(to.height * ratio));
  const counts = new Uint16Array(width * height);
  for (const line of lines) {
    const { first, low, high } = bandColumns(rangeOf(line, to), to, ratio);
    for (let i = Math.max(0, -first); i < low.length && first + i < width; i++) {
      const bottom = low[i] ?? NaN;
      const top = high[i] ?? NaN;
      if (!(bottom >= top)) continue;
      const end = Math.min(height - 1, Math.floor(bottom * ratio));
      for (let row = Math.max(0, Math.floor(top * ratio)); row <= end; row++) {
        const pixel = row * width + first + i;
        counts[pixel] = (counts[pixel] ?? 0) + 1;
      }
    }
  }
  return { width, height, counts };
}

/** What a line covers: if points were reduced, up to the extremes of all of them. */
function rangeOf({ x, y, raw, band }: Trace, { logY }: Projection): Band {
  if (band && !raw) return band;
  const drawn = logY ? y.map((value) => (value > 0 ? value : NaN)) : y;
  return { x, low: drawn, high: drawn };
}

/** The more lines cross a pixel, the more opaque it is, on a logarithmic scale. */
export function paintDensity(
  context: Paper,
  lines: readonly Trace[],
  to: Projection,
  ratio: number,
): void {
  const { width, height, counts } = densityOf(lines, to, ratio);
  const canvas = new OffscreenCanvas(width, height);
  const own = canvas.getContext('2d', { willReadFrequently: true });
  if (!own) return;
  own.fillStyle = lines[0]?.color ?? '';
  own.fillRect(0, 0, width, height);
  const image = own.getImageData(0, 0, width, height);
  const most = counts.reduce((a, b) => Math.max(a, b), 1);
  const alphas = Uint8Array.from({ length: most + 1 }, (_, count) =>
    count === 0
      ? 0
      : 255 * (FAINTEST + ((1 - FAINTEST) * Math.log(count)) / Math.log(Math.max(2, most))),
  );
  for (let i = 0; i < counts.length; i++) image.data[4 * i + 3] = alphas[counts[i] ?? 0] ?? 0;
  own.putImageData(image, 0, 0);
  context.drawImage(canvas, 0, 0, width / ratio, height / ratio);
}
