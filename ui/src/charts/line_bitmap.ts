import { airOf, isSameView, placeIn, type BitmapView } from './bitmap_view';
import type { BitmapAnswer, BitmapQuestion } from './bitmap_worker';
import type { Trace } from './line';
import { packed } from './packed_lines';

/** What a bitmap is of. */
interface Subject {
  readonly lines: readonly Trace[];
  readonly view: BitmapView;
}

/** How much of what should be seen a canvas got: exactly that, what was seen before, or nothing. */
export type Painted = 'exact' | 'before' | 'nothing';

/** The lines of one chart, painted by a worker. One bitmap is waited for at a time, the last that was wanted. */
export class LineBitmap {
  private known: (Subject & { readonly bitmap: ImageBitmap }) | null = null;
  private asked: Subject | null = null;
  private wanted: Subject | null = null;
  /** The lines that the worker has. */
  private sent: readonly Trace[] | null = null;
  private readonly number: number;

  /** `came`: called when a bitmap is there that was wanted and is wanted still, or none will come. */
  constructor(private readonly came: () => void) {
    this.number = Easel.shared.enter((bitmap) => {
      this.take(bitmap);
    });
  }

  /** Whether there is somebody to paint: not at the very beginning, nor in a browser that cannot. */
  get ready(): boolean {
    return Easel.shared.ready;
  }

  /** Paint what there is of these lines, and have the rest painted; the context's origin is that of the plotting area. */
  paint(context: CanvasRenderingContext2D, lines: readonly Trace[], view: BitmapView): Painted {
    const exact = this.known?.lines === lines && isSameView(this.known.view, view);
    if (!exact) this.want({ lines, view });
    if (!this.known) return 'nothing';
    const { bitmap } = this.known;
    if (exact) {
      const origin = context.getTransform();
      const air = airOf(view.ratio);
      context.save();
      context.resetTransform();
      context.drawImage(bitmap, Math.floor(origin.e) - air, Math.floor(origin.f) - air);
      context.restore();
      return 'exact';
    }
    const place = placeIn(view, this.known.view);
    if (!place) return 'nothing';
    context.drawImage(bitmap, place.left, place.top, place.width, place.height);
    return 'before';
  }

  /** What is known is no longer what is seen. */
  forget(): void {
    this.known?.bitmap.close();
    this.known = this.wanted = null;
  }

  destroy(): void {
    this.forget();
    Easel.shared.leave(this.number);
  }

  private want(subject: Subject): void {
    this.wanted = subject;
    if (this.asked) return;
    this.asked = subject;
    const { lines, view } = subject;
    const question = { kind: 'paint', chart: this.number, view } as const;
    if (this.sent === lines) Easel.shared.ask(question);
    else {
      const pack = packed(lines);
      Easel.shared.ask({ ...question, lines: pack }, [pack.numbers.buffer]);
    }
    this.sent = lines;
  }

  private take(bitmap: ImageBitmap | null): void {
    const { asked, wanted } = this;
    this.asked = null;
    if (!asked || !wanted || !bitmap) {
      bitmap?.close();
      if (wanted) this.came();
      return;
    }
    this.known?.bitmap.close();
    this.known = { ...asked, bitmap };
    if (asked.lines === wanted.lines && isSameView(asked.view, wanted.view)) {
      this.wanted = null;
      this.came();
    } else {
      this.want(wanted);
    }
  }
}

/** The worker that paints for all charts. */
class Easel {
  private static made: Easel | null = null;
  static get shared(): Easel {
    return (this.made ??= new Easel());
  }

  ready = false;
  private worker: Worker | null = null;
  private readonly charts = new Map<number, (bitmap: ImageBitmap | null) => void>();
  private entered = 0;

  private constructor() {
    if (typeof OffscreenCanvas === 'undefined') return;
    this.worker = new Worker(new URL('./bitmap_worker.ts', import.meta.url), { type: 'module' });
    this.worker.onmessage = ({ data }: MessageEvent<BitmapAnswer>) => {
      this.ready = true;
      const take = this.charts.get(data.chart);
      if (take) take(data.bitmap);
      else data.bitmap?.close();
    };
    // Charts paint their lines themselves then, as before it was ready.
    this.worker.onerror = () => {
      this.worker?.terminate();
      this.worker = null;
      this.ready = false;
      for (const take of this.charts.values()) take(null);
    };
  }

  enter(take: (bitmap: ImageBitmap | null) => void): number {
    this.charts.set(++this.entered, take);
    return this.entered;
  }

  leave(chart: number): void {
    this.charts.delete(chart);
    this.ask({ kind: 'forget', chart });
  }

  ask(question: BitmapQuestion, transfer: Transferable[] = []): void {
    this.worker?.postMessage(question, transfer);
  }
}
