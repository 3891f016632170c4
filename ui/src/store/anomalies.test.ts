import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nextTick } from 'vue';

import type { RuleEvent } from '@/api/findings';

import { useAnomalies } from './anomalies';
import { job, listing } from './jobs_for_tests';
import { useSelection } from './selection';
import { useTrainJobs } from './train_jobs';

const IDS = ['./a', './b'];

const event = (trainId: string, step: number): RuleEvent => ({
  train_id: trainId,
  kind: 'spike',
  rule: 'loss spikes',
  places: [{ tag: 'loss', step, window: [step - 5, step + 5] }],
});

/** What the server knows; an answer is held back until it is released. */
class Server {
  lookedInto = 2;
  outdated = 0;
  events: readonly RuleEvent[] = [];
  readonly asked: (readonly string[])[] = [];
  held: (() => void)[] | null = null;

  readonly fetch = async (_: URL, { body }: { body: string }): Promise<Response> => {
    const { train_id: ids } = JSON.parse(body) as { train_id: string[] };
    this.asked.push(ids);
    const answer = {
      train_jobs: 2,
      looked_into: this.lookedInto,
      outdated: this.outdated,
      events: this.events.filter((one) => ids.includes(one.train_id)),
    };
    const { held } = this;
    if (held) await new Promise<void>((done) => held.push(done));
    return Response.json(answer);
  };
}

let server: Server;

beforeEach(() => {
  vi.useFakeTimers();
  server = new Server();
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  vi.stubGlobal('fetch', server.fetch);
  setActivePinia(createPinia());
  useTrainJobs().byId = listing(...IDS.map((id, i) => job(id.slice(2), i)));
  useSelection().selectOnly(IDS);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const stepsOf = (trainId: string): number[] =>
  useAnomalies()
    .of(trainId, 'loss')
    .map(({ step }) => step);

test('events of the drawn runs are requested once a page follows them', async () => {
  server.events = [event('./a', 10)];
  const anomalies = useAnomalies();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.asked).toEqual([]);
  anomalies.follow();
  anomalies.follow();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.asked).toEqual([IDS]);
  expect(anomalies.of('./a', 'loss')).toEqual([
    { rule: 'loss spikes', kind: 'spike', step: 10, window: [5, 15] },
  ]);
  expect(anomalies.of('./a', 'acc')).toEqual([]);
});

test('they are requested again until all runs are checked, and while runs grow', async () => {
  server.lookedInto = 1;
  const anomalies = useAnomalies();
  anomalies.follow();
  await vi.advanceTimersByTimeAsync(0);
  server.lookedInto = 2;
  server.outdated = 1;
  server.events = [event('./b', 7)];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stepsOf('./b')).toEqual([7]);
  const before = anomalies.of('./b', 'loss');
  server.outdated = 0;
  await vi.advanceTimersByTimeAsync(4_999);
  expect(server.asked).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(server.asked).toHaveLength(3);
  // Charts would draw equal lists again if they were new.
  expect(anomalies.of('./b', 'loss')).toBe(before);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.asked).toHaveLength(3);
});

test('a late answer about other runs is dropped', async () => {
  server.events = [event('./a', 1), event('./b', 2)];
  server.held = [];
  const anomalies = useAnomalies();
  anomalies.follow();
  await vi.advanceTimersByTimeAsync(0);
  useSelection().selectOnly(['./b']);
  await nextTick();
  await vi.advanceTimersByTimeAsync(0);
  expect(server.asked).toEqual([IDS, ['./b']]);
  const [first, second] = server.held;
  second?.();
  await vi.advanceTimersByTimeAsync(0);
  first?.();
  await vi.advanceTimersByTimeAsync(0);
  expect([stepsOf('./a'), stepsOf('./b')]).toEqual([[], [2]]);
});

test('many runs have no marks', async () => {
  const many = Array.from({ length: 51 }, (_, i) => `./${i}`);
  useTrainJobs().byId = listing(...many.map((id, i) => job(id.slice(2), i)));
  useSelection().selectOnly(many);
  useAnomalies().follow();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.asked).toEqual([]);
});
