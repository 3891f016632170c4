import type { Trace } from './line';

/** Lines in one buffer, which is transferred to a worker: copying many arrays is slow. */
export interface PackedLines {
  readonly shapes: readonly Shape[];
  readonly numbers: Float64Array<ArrayBuffer>;
}

type Piece = readonly [start: number, length: number];

interface Shape extends Pick<Trace, 'id' | 'color' | 'dash' | 'faint'> {
  readonly x: Piece;
  readonly y: Piece;
  readonly raw: Piece | null;
  readonly band: { readonly x: Piece; readonly low: Piece; readonly high: Piece } | null;
}

export function packed(lines: readonly Trace[]): PackedLines {
  const starts = new Map<Float64Array, number>();
  let size = 0;
  const piece = (values: Float64Array): Piece => {
    const start = starts.get(values) ?? size;
    if (start === size) {
      starts.set(values, start);
      size += values.length;
    }
    return [start, values.length];
  };
  const shapes = lines.map(({ id, color, dash, x, y, raw, band, faint }): Shape => ({
    id,
    color,
    dash: [...dash],
    ...(faint && { faint }),
    x: piece(x),
    y: piece(y),
    raw: raw && piece(raw),
    band: band && { x: piece(band.x), low: piece(band.low), high: piece(band.high) },
  }));
  const numbers = new Float64Array(size);
  for (const [values, start] of starts) numbers.set(values, start);
  return { shapes, numbers };
}

export function unpacked({ shapes, numbers }: PackedLines): Trace[] {
  const values = ([start, length]: Piece): Float64Array => numbers.subarray(start, start + length);
  return shapes.map(({ id, color, dash, x, y, raw, band, faint }) => ({
    id,
    color,
    dash,
    ...(faint && { faint }),
    x: values(x),
    y: values(y),
    raw: raw && values(raw),
    band: band && { x: values(band.x), low: values(band.low), high: values(band.high) },
  }));
}
