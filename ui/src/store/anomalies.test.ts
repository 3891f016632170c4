import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nextTick } from 'vue';

import type { RuleMarks } from '@/api/findings';

import { useAnomalies } from './anomalies';
import { job, listing } from './jobs_for_tests';
import { useSelection } from './selection';
import { useTrainJobs } from './train_jobs';

const IDS = ['./a', './b'];

type Marks = Record<string, RuleMarks[]>;

const spike = (...steps: number[]): RuleMarks[] => [
  {
    kind: 'spike',
    rule: 'loss spikes',
    tag: 'loss',
    places: steps.map((step) => [step, step - 5, step + 5] as const),
  },
];

/** What the server knows; an answer is held back until it is released. */
class Server {
  lookedInto = 2;
  outdated = 0;
  marks: Marks = {};
  readonly asked: (readonly string[])[] = [];
  held: (() => void)[] | null = null;

  readonly sent: number[] = [];

  readonly fetch = async (
    _: URL,
    { body, headers }: { body: string; headers: Record<string, string> },
  ): Promise<Response> => {
    const { train_id: ids } = JSON.parse(body) as { train_id: string[] };
    this.asked.push(ids);
    const answer = {
      train_jobs: 2,
      looked_into: this.lookedInto,
      outdated: this.outdated,
      marks: Object.fromEntries(Object.entries(this.marks).filter(([id]) => ids.includes(id))),
    };
    const { held } = this;
    if (held) await new Promise<void>((done) => held.push(done));
    const etag = JSON.stringify(answer);
    const isKnown = headers['If-None-Match'] === etag;
    this.sent.push(isKnown ? 304 : 200);
    return isKnown
      ? new Response(null, { status: 304 })
      : Response.json(answer, { headers: { etag } });
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
  server.marks = { './a': spike(10) };
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
  server.marks = { './b': spike(7) };
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
  server.marks = { './a': spike(1), './b': spike(2) };
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

test('the first of many events are marked, the others are counted', async () => {
  const steps = Array.from({ length: 3_000 }, (_, i) => 10 * i);
  server.marks = { './a': [...spike(...steps), ...spike(1)], './b': spike(5) };
  const anomalies = useAnomalies();
  anomalies.follow();
  await vi.advanceTimersByTimeAsync(0);
  expect(stepsOf('./a')).toEqual(steps.slice(0, 500));
  expect(anomalies.all).toHaveLength(501);
  expect([...anomalies.unmarked]).toEqual([['loss', 2_501]]);
});

test('values that are not finite are known by step, and are no events', async () => {
  server.marks = {
    './a': [{ kind: 'nan', rule: 'nan', tag: 'loss', places: [[20, 20, 20]] }, ...spike(5)],
  };
  const anomalies = useAnomalies();
  anomalies.follow();
  await vi.advanceTimersByTimeAsync(0);
  expect(stepsOf('./a')).toEqual([5]);
  expect([...anomalies.unmarked]).toEqual([['loss', 0]]);
  const within = (from: number, to: number, id = './a', tag = 'loss'): boolean =>
    anomalies.isOddWithin(id, tag, from, to);
  expect([within(10, 20), within(-Infinity, 20)]).toEqual([true, true]);
  expect([
    within(20, 30),
    within(0, 19),
    within(10, 20, './b'),
    within(10, 20, './a', 'acc'),
  ]).toEqual([false, false, false, false]);
});

test('an answer that has not changed is not sent again', async () => {
  server.marks = { './a': spike(1) };
  server.outdated = 1;
  const anomalies = useAnomalies();
  anomalies.follow();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.sent).toEqual([200, 304, 304]);
  const before = anomalies.of('./a', 'loss');
  server.outdated = 0;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.sent.at(-1)).toBe(200);
  expect(anomalies.of('./a', 'loss')).toBe(before);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.sent).toHaveLength(4);
});

test('an unreachable server keeps the marks, and is asked again', async () => {
  server.marks = { './a': spike(1) };
  server.outdated = 1;
  const anomalies = useAnomalies();
  anomalies.follow();
  await vi.advanceTimersByTimeAsync(0);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(stepsOf('./a')).toEqual([1]);
  server.marks = { './a': spike(1, 2) };
  vi.stubGlobal('fetch', server.fetch);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stepsOf('./a')).toEqual([1, 2]);
});

test('many runs have no marks', async () => {
  const many = Array.from({ length: 51 }, (_, i) => `./${i}`);
  useTrainJobs().byId = listing(...many.map((id, i) => job(id.slice(2), i)));
  useSelection().selectOnly(many);
  useAnomalies().follow();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.asked).toEqual([]);
});
