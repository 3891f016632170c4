import { printing } from '@/paper/printing';

import { BitmapRequests, isSameSubject, type PaintedBitmap, type Subject } from './bitmap_requests';
import { bitmapSize, paddingOf, placeIn } from './bitmap_view';
import { drawNever, drawSoon } from './frame_queue';
import type { Line } from './line';
import { projectionOf } from './measure';
import { paintLevels, paintLines, paintMarks, vertices } from './paint';

/** With fewer vertices, painting on the page is as fast as in the worker. */
const FEW = 500;

export interface LinesContent extends Subject {
  readonly lines: readonly Line[];
  readonly levels: readonly number[];
  readonly levelColor: string;
  readonly origin: { readonly left: number; readonly top: number };
}

/** The lines above uPlot's axes: painted at once if simple, else by the worker. */
export class LineLayer {
  readonly canvas = document.createElement('canvas');
  private content: LinesContent | null = null;
  private painted: PaintedBitmap | null = null;
  private place = '';
  private filled = false;
  private readonly requests = new BitmapRequests((painted) => {
    this.keep(painted);
    if (!painted || this.isExact()) {
      drawSoon(this, () => this.paint());
    }
  });

  /** `shown` is called after each painting; `exact`: whether all of the content is visible. */
  constructor(private readonly shown: (lines: readonly Line[], exact: boolean) => void) {
    this.canvas.className = 'plot-lines';
  }

  show(content: LinesContent): void {
    this.content = content;
    const { measure, width, height } = content.view;
    const isSimple =
      printing.value || vertices(content.traces, projectionOf(measure, width, height)) < FEW;
    if (isSimple || !this.requests.ready) this.keep(null);
    if (isSimple || !this.requests.ready || this.isExact()) this.requests.cancel();
    else this.requests.request(content);
    drawNever(this);
    this.paint();
  }

  destroy(): void {
    drawNever(this);
    this.keep(null);
    this.requests.destroy();
  }

  private keep(painted: PaintedBitmap | null): void {
    this.painted?.bitmap.close();
    this.painted = painted;
  }

  private isExact(): boolean {
    return (
      this.painted !== null && this.content !== null && isSameSubject(this.painted, this.content)
    );
  }

  private corner({ origin, view }: LinesContent): { left: number; top: number } {
    const padding = paddingOf(view.ratio);
    return { left: Math.floor(origin.left) - padding, top: Math.floor(origin.top) - padding };
  }

  private paint(): void {
    const { canvas, content } = this;
    const context = canvas.getContext('2d');
    if (!content || !context) return;
    this.clear(context, content);
    const { lines, view, levels, levelColor } = content;
    const to = projectionOf(view.measure, view.width, view.height);
    const padding = paddingOf(view.ratio);
    context.save();
    context.translate(padding + view.left, padding + view.top);
    context.scale(view.ratio, view.ratio);
    const painted = this.paintTraces(context, content);
    if (painted !== 'nothing') {
      paintLevels(context, levels, levelColor, to, view.width);
      paintMarks(context, lines, to, view.height + 1);
      this.filled = true;
    }
    context.restore();
    this.shown(lines, painted === 'exact');
  }

  private clear(context: CanvasRenderingContext2D, content: LinesContent): void {
    const { canvas } = this;
    const { ratio } = content.view;
    const { width, height } = bitmapSize(content.view);
    if (canvas.width === width && canvas.height === height) context.clearRect(0, 0, width, height);
    else Object.assign(canvas, { width, height });
    const { left, top } = this.corner(content);
    const place =
      `left: ${left / ratio}px; top: ${top / ratio}px; ` +
      `width: ${width / ratio}px; height: ${height / ratio}px;`;
    // Setting a style, even to the same value, causes a layout.
    if (place !== this.place) canvas.style.cssText = this.place = place;
  }

  private paintTraces(
    context: CanvasRenderingContext2D,
    { traces, view }: LinesContent,
  ): 'exact' | 'moved' | 'nothing' {
    if (this.painted && this.isExact()) {
      context.save();
      context.resetTransform();
      context.drawImage(this.painted.bitmap, 0, 0);
      context.restore();
      return 'exact';
    }
    const place = this.painted && placeIn(view, this.painted.view);
    if (this.painted && place) {
      const { left, top, width, height } = place;
      context.drawImage(this.painted.bitmap, left, top, width, height);
      return 'moved';
    }
    // A chart that has shown lines must not become empty.
    if (this.requests.pending && !this.filled) return 'nothing';
    paintLines(context, traces, projectionOf(view.measure, view.width, view.height), view.ratio);
    return 'exact';
  }
}
