import { expect, test, vi } from 'vitest';

import { STREAMS, streamOf } from '@/api/arrow_streams_for_tests';

import { ChartSeries } from './chart_series';
import { Kernel, type KernelModel } from './kernel';
import { readSmoothing } from './smoothing';

interface Message {
  readonly kind: string;
  readonly view: string;
  readonly part: string;
  readonly number: number;
  readonly queries: readonly Readonly<Record<string, unknown>>[];
}

/** A kernel that answers when the test tells it to. */
function heldKernel(bytes = streamOf(STREAMS.twoSeries)) {
  const listeners = new Set<(content: unknown, buffers: readonly DataView[]) => void>();
  const sent: Message[] = [];
  const model: KernelModel = {
    get: () => undefined,
    on: (_: string, listener: (content: unknown, buffers: readonly DataView[]) => void) =>
      void listeners.add(listener),
    off: (_, listener) => void listeners.delete(listener),
    send: (content) => void sent.push(content as Message),
  };
  // Messages of a web socket begin anywhere.
  const padded = new Uint8Array(bytes.length + 3);
  padded.set(bytes, 3);
  const answer = (to: Partial<Message>, more: object = {}): void => {
    for (const listener of listeners)
      listener({ ...sent.at(-1), ...to, ...more }, [new DataView(padded.buffer, 3)]);
  };
  return { kernel: new Kernel(model), sent, answer, listeners };
}

test('a visible chart repeats that it is, so that the kernel goes on reading', () => {
  vi.useFakeTimers();
  const { kernel, sent } = heldKernel();
  kernel.follow(true);
  vi.advanceTimersByTime(30_000);
  expect(sent).toMatchObject(Array(3).fill({ kind: 'follow', visible: true }));
  kernel.follow(false);
  vi.advanceTimersByTime(60_000);
  expect(sent).toHaveLength(4);
  kernel.follow(true);
  kernel.leave();
  vi.advanceTimersByTime(60_000);
  expect(sent.slice(4)).toMatchObject([{ kind: 'follow' }, { kind: 'leave' }]);
  vi.useRealTimers();
});

test('draws the answer to its own last request only', () => {
  const { kernel, sent, answer } = heldKernel();
  const series = new ChartSeries(kernel, ['./a', './b'], ['train/loss']);
  series.request('');
  series.request('ema:0.6');
  expect(sent.map(({ number }) => number)).toEqual([1, 2]);
  expect(sent[1]?.queries).toMatchObject([
    { train_id: ['./a', './b'], tag: ['train/loss/scalar'], smoothing: 'ema:0.6', format: 'arrow' },
  ]);
  answer({ view: 'another' });
  answer({ number: 1 });
  expect(series.slot('./a', 'train/loss')).toBeUndefined();
  expect(kernel.waiting.whole).toBe(true);
  answer({});
  expect(series.slot('./a', 'train/loss')?.whole?.step).toHaveLength(3);
  expect(kernel.waiting.whole).toBe(false);
});

test('asks for no window of series that are complete', () => {
  const { kernel, sent, answer } = heldKernel();
  const series = new ChartSeries(kernel, ['./a'], ['train/loss']);
  series.request('');
  answer({});
  series.requestWindow({ axis: 'step', from: 0, to: 1 });
  expect(sent).toHaveLength(1);
  expect(kernel.waiting.detail).toBe(false);
});

test('once a zoom is reset, nothing more is requested for it', () => {
  const text = new TextDecoder('latin1').decode(streamOf(STREAMS.twoSeries));
  const reduced = text.replace('"total":5', '"total":9');
  const { kernel, sent, answer } = heldKernel(
    Uint8Array.from(reduced, (character) => character.charCodeAt(0)),
  );
  const series = new ChartSeries(kernel, ['./a'], ['train/loss']);
  series.request('');
  answer({});
  series.requestWindow({ axis: 'step', from: 0, to: 1 });
  expect(sent.at(-1)).toMatchObject({ part: 'detail', queries: [{ start_step: 0, end_step: 1 }] });
  answer({});
  series.requestWindow(null);
  expect(sent.at(-1)).toMatchObject({ part: 'detail', queries: [] });
});

test('shows why a request failed, until it succeeds', () => {
  const { kernel, answer } = heldKernel();
  const series = new ChartSeries(kernel, ['./a'], ['train/loss']);
  series.request('');
  answer({}, { problem: 'No.' });
  expect(kernel.problems.get('whole')).toBe('No.');
  answer({}, { problem: '' });
  expect(kernel.problems.size).toBe(0);
});

test('a removed view receives nothing more', () => {
  const { kernel, sent, listeners } = heldKernel();
  kernel.leave();
  expect(listeners.size).toBe(0);
  expect(sent.map(({ kind }) => kind)).toEqual(['leave']);
});

test.each([
  ['', { kind: 'twema', strength: 0 }],
  ['ema:0.6', { kind: 'ema', strength: 0.6 }],
  ['mean:25', { kind: 'mean', strength: 25 }],
])('reads the smoothing %j', (text, smoothing) => {
  expect(readSmoothing(text)).toEqual(smoothing);
});
