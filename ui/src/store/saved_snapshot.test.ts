import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { ApiError } from '@/api/client';

import { useSavedSnapshot } from './saved_snapshot';
import { snapshotTexts, snapshotProblem } from './snapshot_problem';
import { useTrainJobs } from './train_jobs';

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
  const said = { key: null, text: 'Too small.' };
  expect([snapshot.problem, snapshot.saving]).toEqual([said, false]);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(snapshot.problem).toEqual(said);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(snapshot.problem).toBeNull();
});

test('without runs, nothing is requested', async () => {
  const fetch = vi.fn();
  vi.stubGlobal('fetch', fetch);
  const snapshot = useSavedSnapshot();
  expect(snapshot.isEmpty).toBe(false);
  const jobs = useTrainJobs();
  jobs.known = true;
  expect(snapshot.isEmpty).toBe(true);
  await snapshot.save();
  expect(fetch).not.toHaveBeenCalled();
});

test('errors of the server become messages of the page', () => {
  const keyOf = (status: number, text: string): string | null =>
    snapshotProblem(new ApiError(status, '', text)).key;
  expect(
    snapshotProblem(new ApiError(400, '', "'budget' must be at least 230000000 for this view.")),
  ).toEqual({ key: 'tooSmall', values: { size: '219 MiB' } });
  expect(keyOf(400, 'The link is too long.')).toBe('tooLong');
  expect(keyOf(0, 'Failed to fetch')).toBe('unreachable');
  expect(keyOf(401, 'A token is required.')).toBe('token');
  expect(keyOf(503, 'Too many requests.')).toBe('busy');
  expect(snapshotProblem(new ApiError(500, '', 'System error.'))).toEqual({
    key: null,
    text: 'System error.',
  });
});

test('the server still writes these errors', () => {
  const server = Object.values(
    import.meta.glob<string>('../../../mindviz/{snapshots,backend}/*.py', {
      eager: true,
      query: '?raw',
      import: 'default',
    }),
  ).join('\n');
  for (const text of snapshotTexts) expect(server).toContain(text);
});
