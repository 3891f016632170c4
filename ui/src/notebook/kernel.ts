import { scalarsQuery, type ScalarAnswer, type ScalarQuestion } from '@/api/scalars';
import { seriesOfArrow } from '@/api/scalars_arrow';

/** Requests without a window, or the points within one. */
export type Part = 'whole' | 'detail';

/** What anywidget passes as the model, as far as it is used. */
export interface KernelModel {
  get: (name: string) => unknown;
  on: {
    (event: 'msg:custom', listener: MessageListener): void;
    (event: `change:${string}`, listener: () => void): void;
  };
  off: (event: string, listener: MessageListener | (() => void)) => void;
  send: (content: unknown) => void;
}

type MessageListener = (content: unknown, buffers: readonly DataView[]) => void;

/** A message of the kernel to all views of a chart. */
interface Answered {
  readonly view: string;
  readonly part: Part;
  /** Of the request. */
  readonly number: number;
  /** Empty: the last one is over. */
  readonly problem?: string;
}

export interface KernelEvents {
  readonly points: (part: Part, answer: ScalarAnswer) => void;
  readonly failed: (part: Part, problem: string) => void;
}

/** Milliseconds. The kernel waits for a minute. */
const REPEATED = 15_000;

/** One view's requests to the kernel, which then sends new points on its own. */
export class Kernel {
  // Not `crypto.randomUUID`, which pages without TLS do not have.
  private readonly view = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  private readonly numbers: Record<Part, number> = { whole: 0, detail: 0 };
  private repeated: ReturnType<typeof setInterval> | undefined;
  private readonly listener: MessageListener = (content, buffers) => this.receive(content, buffers);

  constructor(
    private readonly model: KernelModel,
    private readonly events: KernelEvents,
  ) {
    model.on('msg:custom', this.listener);
  }

  /** Replaces the part's requests; none: nothing is sent for it any more. */
  request(part: Part, questions: readonly ScalarQuestion[]): void {
    const number = ++this.numbers[part];
    const queries = questions.map(scalarsQuery);
    this.model.send({ kind: 'request', view: this.view, part, number, queries });
  }

  /** Whether the kernel is to send new points. It stops if it hears nothing more. */
  follow(isVisible: boolean): void {
    clearInterval(this.repeated);
    const tell = (): void =>
      this.model.send({ kind: 'follow', view: this.view, visible: isVisible });
    tell();
    if (isVisible) this.repeated = setInterval(tell, REPEATED);
  }

  leave(): void {
    clearInterval(this.repeated);
    this.model.off('msg:custom', this.listener);
    this.model.send({ kind: 'leave', view: this.view });
  }

  private receive(content: unknown, buffers: readonly DataView[]): void {
    const { view, part, number, problem } = content as Answered;
    if (view !== this.view || number !== this.numbers[part]) return;
    if (problem !== undefined) {
      this.events.failed(part, problem);
      return;
    }
    for (const buffer of buffers) {
      const { byteOffset, byteLength } = buffer;
      // A copy, because columns of numbers have to begin at multiples of eight.
      const bytes = new Uint8Array(buffer.buffer.slice(byteOffset, byteOffset + byteLength));
      this.events.points(part, seriesOfArrow(bytes));
    }
  }
}
