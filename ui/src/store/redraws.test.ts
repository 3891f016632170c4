import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { redrawsOf } from './redraws';

let redrawn: string[][];
let redraws: ReturnType<typeof redrawsOf>;

beforeEach(() => {
  vi.useFakeTimers();
  redrawn = [];
  redraws = redrawsOf((tags) => redrawn.push([...tags]));
});
afterEach(() => void vi.useRealTimers());

/** A request that ends, and changes a tag, when it is answered. */
function request(tag: string): () => Promise<void> {
  let answer = (): void => undefined;
  const counted = redraws.counted(() => new Promise<void>((resolve) => (answer = resolve)));
  const changed = counted().then(() => redraws.add([tag]));
  return () => {
    answer();
    return changed;
  };
}

test('a change without further requests is shown at once', async () => {
  await request('a')();
  await request('b')();
  expect(redrawn).toEqual([['a'], ['b']]);
});

test('of many answers, the first and the last are shown at once, others together', async () => {
  const answers = ['a', 'b', 'c', 'd', 'e'].map(request);
  await answers[0]?.();
  expect(redrawn).toEqual([['a']]);
  await answers[1]?.();
  await answers[2]?.();
  expect(redrawn).toEqual([['a']]);
  vi.advanceTimersByTime(100);
  expect(redrawn).toEqual([['a'], ['b', 'c']]);
  await answers[3]?.();
  await answers[4]?.();
  expect(redrawn).toEqual([['a'], ['b', 'c'], ['d', 'e']]);
  vi.advanceTimersByTime(1000);
  expect(redrawn).toHaveLength(3);
});

test('a failed request is no longer waited for', async () => {
  const fails = redraws.counted(() => Promise.reject(new Error('no')));
  await expect(fails()).rejects.toThrow('no');
  redraws.add(['a']);
  redraws.add(['b']);
  expect(redrawn).toEqual([['a'], ['b']]);
});
