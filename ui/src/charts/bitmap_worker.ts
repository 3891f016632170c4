import { paddingOf, bitmapSize, type BitmapView } from './bitmap_view';
import type { Trace } from './line';
import { projectionOf } from './measure';
import { unpacked, type PackedLines } from './packed_lines';
import { paintLines } from './paint';

export type BitmapQuestion =
  | {
      readonly kind: 'paint';
      readonly chart: number;
      readonly view: BitmapView;
      readonly lines?: PackedLines;
    }
  | { readonly kind: 'forget'; readonly chart: number };

/** A null bitmap says that the worker is ready. */
export interface BitmapAnswer {
  readonly chart: number;
  readonly bitmap: ImageBitmap | null;
}

const known = new Map<number, readonly Trace[]>();
const canvas = new OffscreenCanvas(1, 1);
// Each picture is read back at once, so the canvas must not be in GPU memory.
const context = canvas.getContext('2d', { willReadFrequently: true });

self.onmessage = ({ data }: MessageEvent<BitmapQuestion>) => {
  if (data.kind === 'forget') {
    known.delete(data.chart);
    return;
  }
  const { chart, view, lines } = data;
  if (lines) known.set(chart, unpacked(lines));
  const bitmap = context && painted(context, known.get(chart) ?? [], view);
  self.postMessage({ chart, bitmap } satisfies BitmapAnswer, { transfer: bitmap ? [bitmap] : [] });
};

function painted(
  onto: OffscreenCanvasRenderingContext2D,
  lines: readonly Trace[],
  view: BitmapView,
): ImageBitmap {
  Object.assign(canvas, bitmapSize(view));
  const padding = paddingOf(view.ratio);
  onto.translate(padding + view.left, padding + view.top);
  onto.scale(view.ratio, view.ratio);
  paintLines(onto, lines, projectionOf(view.measure, view.width, view.height), view.ratio);
  return canvas.transferToImageBitmap();
}

if (context) self.postMessage({ chart: -1, bitmap: null } satisfies BitmapAnswer);
