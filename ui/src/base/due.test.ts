import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { dueOf } from './due';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('what is put off again and again is done once, after the last time', () => {
  let done = 0;
  const due = dueOf(() => done++);
  for (let i = 0; i < 5; i++) {
    due.after(30);
    vi.advanceTimersByTime(20);
  }
  expect(done).toBe(0);
  vi.advanceTimersByTime(10);
  expect(done).toBe(1);
});

test('what has a limit is done although the reasons for it never end', () => {
  let done = 0;
  const due = dueOf(() => done++);
  for (let time = 0; time < 8_000; time += 800) {
    due.within(2_000);
    vi.advanceTimersByTime(800);
  }
  expect(done).toBeGreaterThanOrEqual(3);
});

test('what was called off is not done', () => {
  let done = 0;
  const due = dueOf(() => done++);
  due.within(10);
  due.cancel();
  vi.advanceTimersByTime(100);
  expect(done).toBe(0);
});
