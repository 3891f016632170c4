import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { useChartLines } from './chart_lines';

const ANSWER = { lines: [{ formula: '`a`', label: 'a', tags: ['a'], tag: 'a' }], error: null };

beforeEach(() => {
  setActivePinia(createPinia());
  vi.useFakeTimers();
  vi.stubGlobal('document', { baseURI: 'http://host/' });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function answering(...statuses: number[]): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (url: URL) => {
    asked.push(url.searchParams.get('text') ?? '');
    const status = statuses.shift() ?? 200;
    const body = status === 200 ? ANSWER : { error_code: '1', error_msg: 'busy' };
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
  return asked;
}

test('a formula is parsed once, however often it is used', async () => {
  const asked = answering();
  const charts = useChartLines();
  expect(charts.of('a')).toBeUndefined();
  await charts.load(['a', 'b']);
  await charts.load(['a']);
  expect(await charts.parse('b')).toEqual(ANSWER);
  expect(charts.of('a')).toEqual(ANSWER);
  expect(asked).toEqual(['a', 'b']);
});

test('retries if the server is unreachable', async () => {
  const asked = answering(503);
  const charts = useChartLines();
  await charts.load(['a']);
  expect(charts.of('a')).toBeUndefined();
  await vi.runAllTimersAsync();
  expect(charts.of('a')).toEqual(ANSWER);
  expect(asked).toEqual(['a', 'a']);
});

test('does not repeat requests that the server rejected', async () => {
  const asked = answering(400);
  await useChartLines().load(['a']);
  await vi.runAllTimersAsync();
  expect(asked).toEqual(['a']);
});
