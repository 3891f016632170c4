import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { PaintedBitmap } from './bitmap_requests';
import type { BitmapView } from './bitmap_view';
import type { BitmapAnswer, BitmapQuestion } from './bitmap_worker';
import { line } from './lines_for_tests';

/** A worker that answers when the test tells it to. */
class HeldWorker {
  static last: HeldWorker;
  onmessage: ((event: { data: BitmapAnswer }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly questions: BitmapQuestion[] = [];

  constructor() {
    HeldWorker.last = this;
  }

  postMessage(question: BitmapQuestion): void {
    this.questions.push(question);
  }

  terminate(): void {
    this.onmessage = null;
  }

  answer(chart: number, bitmap: { close: () => void } | null): void {
    this.onmessage?.({ data: { chart, bitmap: bitmap as ImageBitmap | null } });
  }
}

function viewUntil(x: number): BitmapView {
  return {
    measure: { x: [0, x], y: [0, 1], logX: false, logY: false },
    width: 100,
    height: 50,
    left: 0,
    top: 0,
    ratio: 1,
  };
}

const TRACES = [line('a', [0, 1], [0, 1])];

/** Requests of one chart, with a separate worker. */
async function requestsOf(deliver: (painted: PaintedBitmap | null) => void) {
  vi.resetModules();
  const { BitmapRequests } = await import('./bitmap_requests');
  const requests = new BitmapRequests(deliver);
  HeldWorker.last.answer(-1, null);
  return { requests, worker: HeldWorker.last };
}

beforeEach(() => {
  vi.stubGlobal('Worker', HeldWorker);
  vi.stubGlobal('OffscreenCanvas', vi.fn());
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('paints one bitmap at a time, then the latest requested', async () => {
  const delivered: (PaintedBitmap | null)[] = [];
  const { requests, worker } = await requestsOf((painted) => delivered.push(painted));
  for (const x of [1, 2, 3]) requests.request({ traces: TRACES, view: viewUntil(x) });
  expect(worker.questions).toHaveLength(1);
  worker.answer(1, { close: vi.fn() });
  worker.answer(1, { close: vi.fn() });
  expect(worker.questions.map((one) => one.kind === 'paint' && one.view.measure.x[1])).toEqual([
    1, 3,
  ]);
  expect(delivered.map((one) => one?.view.measure.x[1])).toEqual([1, 3]);
  expect(requests.pending).toBe(false);
});

test('lines are sent once', async () => {
  const { requests, worker } = await requestsOf(() => null);
  for (const x of [1, 2]) {
    requests.request({ traces: TRACES, view: viewUntil(x) });
    worker.answer(1, { close: vi.fn() });
  }
  expect(worker.questions.map((one) => 'lines' in one)).toEqual([true, false]);
});

test('a cancelled bitmap is released and not delivered', async () => {
  const deliver = vi.fn();
  const { requests, worker } = await requestsOf(deliver);
  requests.request({ traces: TRACES, view: viewUntil(1) });
  requests.cancel();
  const close = vi.fn();
  worker.answer(1, { close });
  expect(close).toHaveBeenCalledOnce();
  expect(deliver).not.toHaveBeenCalled();
});

test('a failed worker delivers null and is no longer ready', async () => {
  const deliver = vi.fn();
  const { requests, worker } = await requestsOf(deliver);
  requests.request({ traces: TRACES, view: viewUntil(1) });
  expect(requests.pending).toBe(true);
  worker.onerror?.();
  expect(deliver).toHaveBeenCalledExactlyOnceWith(null);
  expect(requests.ready).toBe(false);
  expect(requests.pending).toBe(false);
});
