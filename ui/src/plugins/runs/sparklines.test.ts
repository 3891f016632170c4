import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { ApiError } from '@/api/client';
import type { ScalarQuestion, ScalarUpdate } from '@/api/scalars';

import { sparklinesFrom } from './sparklines';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('visible cells share a request, and are fetched again when their run has grown', async () => {
  const requests: ScalarQuestion[] = [];
  const lines = sparklinesFrom((question) => {
    requests.push(question);
    const series = question.trainIds.map(
      (train_id) =>
        ({ train_id, tag: 'loss', value: Float64Array.of(1, requests.length) }) as ScalarUpdate,
    );
    return Promise.resolve({ series, cursor: '' });
  });
  const cell = (trainId: string, version: number) => ({ trainId, tag: 'loss', version });
  lines.want(cell('./a', 1));
  lines.want(cell('./b', 1));
  // Scrolled past.
  lines.want(cell('./gone', 1))();
  await vi.advanceTimersByTimeAsync(100);
  expect(requests.map(({ trainIds }) => trainIds)).toEqual([['./a', './b']]);
  expect(lines.valuesOf('./a', 'loss')).toEqual(Float64Array.of(1, 1));
  expect(lines.valuesOf('./gone', 'loss')).toBeUndefined();
  lines.want(cell('./a', 1));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests).toHaveLength(1);
  lines.want(cell('./a', 2));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(lines.valuesOf('./a', 'loss')).toEqual(Float64Array.of(1, 2));
});

test('cells that lack curves because the server was away get them when it is back', async () => {
  let requests = 0;
  const lines = sparklinesFrom(() => {
    requests++;
    if (requests < 3) return Promise.reject(new ApiError(0, '', 'Failed to fetch'));
    const series = [{ train_id: './a', tag: 'loss', value: Float64Array.of(1, 2) }];
    return Promise.resolve({ series: series as unknown as ScalarUpdate[], cursor: '' });
  });
  lines.want({ trainId: './a', tag: 'loss', version: 1 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toBe(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(requests).toBe(3);
  expect(lines.valuesOf('./a', 'loss')).toEqual(Float64Array.of(1, 2));
});
