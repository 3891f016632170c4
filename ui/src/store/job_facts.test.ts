import { createPinia, disposePinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { effectScope } from 'vue';

import { useJobFacts } from './job_facts';
import { useLive } from './live';

const pinia = createPinia();
let requests: number;

beforeEach(() => {
  requests = 0;
  vi.useFakeTimers();
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  vi.stubGlobal('fetch', () => {
    requests++;
    return Promise.resolve(
      Response.json({ train_id: [], columns: {}, total: 0, data_version: useLive().dataVersion }),
    );
  });
  setActivePinia(pinia);
});
afterEach(() => {
  vi.useRealTimers();
});

test('changes are requested after a while, but not once the store has ended', async () => {
  const scope = effectScope();
  const facts = useJobFacts();
  scope.run(() => facts.use(() => []));
  await vi.advanceTimersByTimeAsync(0);
  useLive().dataVersion = 2;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests).toBe(2);
  await vi.advanceTimersByTimeAsync(60_000);
  for (const version of [3, 4]) {
    useLive().dataVersion = version;
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(requests).toBe(3);
  disposePinia(pinia);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests).toBe(3);
});
