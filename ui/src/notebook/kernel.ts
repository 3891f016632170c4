import { shallowReactive } from 'vue';

/** Whole series, points within a window, groups of runs, and events of rules. */
export type Part = 'whole' | 'detail' | 'groups' | 'marks';

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

type Answers = (bytes: Uint8Array<ArrayBuffer>) => void;

/** Milliseconds. The kernel waits for a minute. */
const REPEATED = 15_000;

/** One view's requests to the kernel, which then sends what is new on its own. */
export class Kernel {
  /** Whether the answer to the last request of a part is missing. */
  readonly waiting = shallowReactive<Record<Part, boolean>>({
    whole: true,
    detail: false,
    groups: true,
    marks: false,
  });
  readonly problems = shallowReactive(new Map<Part, string>());
  // Not `crypto.randomUUID`, which pages without TLS do not have.
  private readonly view = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  private readonly numbers = new Map<Part, number>();
  private readonly answers = new Map<Part, Answers>();
  private repeated: ReturnType<typeof setInterval> | undefined;
  private readonly listener: MessageListener = (content, buffers) => this.receive(content, buffers);

  constructor(private readonly model: KernelModel) {
    model.on('msg:custom', this.listener);
  }

  /** Pass answers to a part's requests on. */
  on(part: Part, answers: Answers): void {
    this.answers.set(part, answers);
  }

  /** Replaces the part's requests; none: nothing is sent for it any more. */
  request(part: Part, queries: readonly object[]): void {
    const number = (this.numbers.get(part) ?? 0) + 1;
    this.numbers.set(part, number);
    this.waiting[part] = queries.length > 0;
    this.problems.delete(part);
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
    if (view !== this.view || number !== this.numbers.get(part)) return;
    this.waiting[part] = false;
    if (problem === '') this.problems.delete(part);
    else if (problem !== undefined) this.problems.set(part, problem);
    for (const { buffer, byteOffset, byteLength } of problem === undefined ? buffers : []) {
      // A copy, because columns of numbers have to begin at multiples of eight.
      const bytes = new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength));
      this.answers.get(part)?.(bytes as Uint8Array<ArrayBuffer>);
    }
  }
}
