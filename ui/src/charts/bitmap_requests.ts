import { startBitmapThread } from './bitmap_thread';
import { isSameView, type BitmapView } from './bitmap_view';
import type { BitmapAnswer, BitmapQuestion } from './bitmap_worker';
import type { Trace } from './line';
import { packed } from './packed_lines';

export interface Subject {
  readonly traces: readonly Trace[];
  readonly view: BitmapView;
}

export interface PaintedBitmap extends Subject {
  readonly bitmap: ImageBitmap;
}

export const isSameSubject = (a: Subject, b: Subject): boolean =>
  a.traces === b.traces && isSameView(a.view, b.view);

export class BitmapRequests {
  private running: Subject | null = null;
  private latest: Subject | null = null;
  private sent: readonly Trace[] | null = null;
  private readonly chart: number;

  /** `deliver` gets each bitmap, or null if the worker has failed. */
  constructor(private readonly deliver: (painted: PaintedBitmap | null) => void) {
    this.chart = BitmapWorker.shared.register((bitmap) => this.receive(bitmap));
  }

  get ready(): boolean {
    return BitmapWorker.shared.ready;
  }

  get pending(): boolean {
    return this.latest !== null && this.ready;
  }

  request(subject: Subject): void {
    this.latest = subject;
    if (!this.running) this.send(subject);
  }

  cancel(): void {
    this.latest = null;
  }

  destroy(): void {
    this.cancel();
    BitmapWorker.shared.unregister(this.chart);
  }

  private send(subject: Subject): void {
    this.running = subject;
    const { traces, view } = subject;
    const question = { kind: 'paint', chart: this.chart, view } as const;
    if (this.sent === traces) BitmapWorker.shared.post(question);
    else {
      const lines = packed(traces);
      BitmapWorker.shared.post({ ...question, lines }, [lines.numbers.buffer]);
    }
    this.sent = traces;
  }

  private receive(bitmap: ImageBitmap | null): void {
    const { running, latest } = this;
    this.running = null;
    if (!latest) {
      bitmap?.close();
    } else if (!running || !bitmap) {
      this.deliver(null);
    } else {
      if (isSameSubject(running, latest)) this.latest = null;
      else this.send(latest);
      this.deliver({ ...running, bitmap });
    }
  }
}

/** The page's side of the worker shared by all charts. */
class BitmapWorker {
  private static instance: BitmapWorker | null = null;
  static get shared(): BitmapWorker {
    return (this.instance ??= new BitmapWorker());
  }

  ready = false;
  private worker: Worker | null = null;
  private readonly receivers = new Map<number, (bitmap: ImageBitmap | null) => void>();
  private registered = 0;

  private constructor() {
    this.worker = startBitmapThread();
    if (!this.worker) return;
    this.worker.onmessage = ({ data }: MessageEvent<BitmapAnswer>) => {
      this.ready = true;
      const receive = this.receivers.get(data.chart);
      if (receive) receive(data.bitmap);
      else data.bitmap?.close();
    };
    // From then on charts paint their lines on the page.
    this.worker.onerror = () => {
      this.worker?.terminate();
      this.worker = null;
      this.ready = false;
      for (const receive of this.receivers.values()) receive(null);
    };
  }

  register(receive: (bitmap: ImageBitmap | null) => void): number {
    this.receivers.set(++this.registered, receive);
    return this.registered;
  }

  unregister(chart: number): void {
    this.receivers.delete(chart);
    this.post({ kind: 'forget', chart });
  }

  post(question: BitmapQuestion, transfer: Transferable[] = []): void {
    this.worker?.postMessage(question, transfer);
  }
}
