import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { dueOf } from './due';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a repeatedly postponed call runs once, after the last delay', () => {
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

test('a call with a limit runs although it is postponed forever', () => {
  let done = 0;
  const due = dueOf(() => done++);
  for (let time = 0; time < 8_000; time += 800) {
    due.within(2_000);
    vi.advanceTimersByTime(800);
  }
  expect(done).toBeGreaterThanOrEqual(3);
});

test('a canceled call does not run', () => {
  let done = 0;
  const due = dueOf(() => done++);
  due.within(10);
  due.cancel();
  vi.advanceTimersByTime(100);
  expect(done).toBe(0);
});
