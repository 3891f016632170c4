import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { useSavedSnapshot } from './saved_snapshot';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  vi.stubGlobal('location', { href: 'http://host/#/scalar' });
  setActivePinia(createPinia());
});
afterEach(() => {
  vi.useRealTimers();
});

test('an error is shown for a while', async () => {
  vi.stubGlobal('fetch', () =>
    Promise.resolve(
      Response.json({ error_code: '50540002', error_msg: 'Too small.' }, { status: 400 }),
    ),
  );
  const snapshot = useSavedSnapshot();
  await snapshot.save();
  expect([snapshot.problem, snapshot.saving]).toEqual(['Too small.', false]);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(snapshot.problem).toBe('Too small.');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(snapshot.problem).toBeNull();
});
