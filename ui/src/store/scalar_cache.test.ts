import { beforeEach, describe, expect, test } from 'vitest';

import { ApiError } from '@/api/client';
import type { SetAside } from '@/api/restarts';
import type { ScalarAnswer, ScalarQuestion, ScalarUpdate } from '@/api/scalars';

import { ScalarCache } from './scalar_cache';
import type { Wanted } from './scalar_wanted';

/** Logs in memory; the cursor is the number of points. */
class Logs {
  readonly asked: { question: ScalarQuestion; since: string | null }[] = [];
  readonly points = new Map<string, number[]>();
  failing: ApiError | null = null;
  superseded = 0;

  write(trainId: string, tag: string, ...steps: number[]): void {
    const key = `${trainId} ${tag}`;
    this.points.set(key, [...(this.points.get(key) ?? []), ...steps]);
  }

  readonly scalars = (question: ScalarQuestion, since: string | null): Promise<ScalarAnswer> =>
    this.answered(question, since);

  protected answered(question: ScalarQuestion, since: string | null): Promise<ScalarAnswer> {
    this.asked.push({ question, since });
    if (this.failing) return Promise.reject(this.failing);
    const seen = (since === null ? {} : JSON.parse(since)) as Record<string, number>;
    const cursor: Record<string, number> = {};
    const series: ScalarUpdate[] = [];
    for (const trainId of question.trainIds) {
      for (const tag of question.tags) {
        const key = `${trainId} ${tag}`;
        const all = this.points.get(key);
        if (!all) continue;
        cursor[key] = all.length;
        const {
          startStep = -Infinity,
          endStep = Infinity,
          startTime = -Infinity,
          endTime = Infinity,
        } = question;
        const steps = all
          .slice(seen[key] ?? 0)
          .filter(
            (step) => step >= startStep && step <= endStep && step >= startTime && step <= endTime,
          )
          .slice(0, question.maxPoints);
        series.push({
          train_id: trainId,
          tag,
          total: all.length,
          superseded: this.superseded,
          step: Float64Array.from(steps),
          wall_time: Float64Array.from(steps),
          value: Float64Array.from(steps),
          reset: since === null,
          truncate_from_step: null,
        });
      }
    }
    return Promise.resolve({ cursor: JSON.stringify(cursor), series });
  }

  readonly aside = (): Promise<SetAside> => Promise.resolve({ restarts: [3], pieces: [piece] });
}

const piece = {
  reason: 'replaced',
  writer: null,
  count: 1,
  step: new Float64Array(1),
  wall_time: new Float64Array(1),
  value: new Float64Array(1),
} as const;

/** Answers are delivered in the order that the test selects. */
class SlowLogs extends Logs {
  private readonly waiting: (() => void)[] = [];

  override readonly scalars = async (
    question: ScalarQuestion,
    since: string | null,
  ): Promise<ScalarAnswer> => {
    // The answer is fixed when the request is sent.
    const answer = this.answered(question, since).then(
      (value) => ({ value }),
      (reason: unknown) => ({ reason }),
    );
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    const got = await answer;
    if ('reason' in got) throw got.reason;
    return got.value;
  };

  async answer(number: number): Promise<void> {
    this.waiting[number]?.();
    for (let i = 0; i < 20; i++) await Promise.resolve();
  }
}

let logs: Logs;
let changes: string[];
let cache: ScalarCache;

beforeEach(() => {
  logs = new Logs();
  changes = [];
  cache = new ScalarCache(logs, (tags) => changes.push(...tags));
  for (const id of ['./a', './b']) for (const tag of ['loss', 'acc']) logs.write(id, tag, 1, 2, 3);
});

const wanted = (more: Partial<Wanted> = {}): Wanted => ({
  tags: new Map([
    ['loss', 1_000],
    ['acc', 1_000],
  ]),
  trainIds: ['./a', './b'],
  window: null,
  smoothing: '',
  has: (id, tag) => logs.points.has(`${id} ${tag}`),
  ...more,
});
const steps = (id: string, tag: string): number[] => [...(cache.get(id, tag)?.whole?.step ?? [])];

describe('missing data', () => {
  test('is requested at once', async () => {
    await cache.look(wanted());
    expect(logs.asked).toHaveLength(1);
    expect(steps('./b', 'acc')).toEqual([1, 2, 3]);
    expect(new Set(changes)).toEqual(new Set(['loss', 'acc']));
  });

  test('is requested only once', async () => {
    await Promise.all([cache.look(wanted()), cache.look(wanted())]);
    await cache.look(wanted());
    expect(logs.asked).toHaveLength(1);
  });

  test('is requested without the known part', async () => {
    await cache.look(wanted({ trainIds: ['./a'] }));
    await cache.look(wanted());
    expect(logs.asked[1]?.question.trainIds).toEqual(['./b']);
  });

  test('is not requested for jobs that lack the tag', async () => {
    await cache.look(wanted({ tags: new Map([['lr', 1_000]]) }));
    expect(logs.asked).toHaveLength(0);
  });

  test('is requested in pieces for many jobs', async () => {
    const trainIds = Array.from({ length: 150 }, (_, i) => `./run_${i}`);
    trainIds.forEach((id) => {
      logs.write(id, 'loss', 1);
    });
    await cache.look(wanted({ trainIds, tags: new Map([['loss', 1_000]]) }));
    expect(logs.asked.map(({ question }) => question.trainIds.length)).toEqual([60, 60, 30]);
  });
});

describe('visible data', () => {
  test('is followed with its cursor: only new points are transferred', async () => {
    await cache.look(wanted());
    logs.write('./a', 'loss', 4);
    changes.length = 0;
    await cache.follow(2);
    expect(steps('./a', 'loss')).toEqual([1, 2, 3, 4]);
    expect(logs.asked[1]?.since).not.toBeNull();
    expect(changes).toEqual(['loss']);
  });

  test('is not requested again while nothing changed', async () => {
    await cache.look(wanted());
    await cache.follow(1);
    await cache.follow(1);
    expect(logs.asked).toHaveLength(2);
  });

  test('is not followed while out of view, and updated when it becomes visible', async () => {
    await cache.look(wanted({ tags: new Map([['loss', 1_000]]) }));
    await cache.look(wanted({ tags: new Map([['acc', 1_000]]) }));
    logs.write('./a', 'loss', 4);
    await cache.follow(1);
    expect(steps('./a', 'loss')).toEqual([1, 2, 3]);
    await cache.look(wanted({ tags: new Map([['loss', 1_000]]) }));
    expect(steps('./a', 'loss')).toEqual([1, 2, 3, 4]);
  });

  test('is followed in one request after it came in several', async () => {
    for (let i = 1; i <= 7; i++) {
      logs.write('./a', `tag_${i}`, 1);
      const tags = new Map(Array.from({ length: i }, (_, j) => [`tag_${j + 1}`, 1_000] as const));
      await cache.look(wanted({ trainIds: ['./a'], tags }));
    }
    await cache.follow(1);
    const before = logs.asked.length;
    await cache.follow(2);
    expect(logs.asked.length - before).toBe(1);
  });

  test('includes the restarts of the job', async () => {
    logs.superseded = 2;
    await cache.look(wanted());
    await Promise.resolve();
    expect(cache.get('./a', 'loss')).toMatchObject({ restarts: [3], aside: [piece] });
  });
});

describe('a window', () => {
  /** Fewer points than logged, so that a window shows more. */
  const reduced = new Map([
    ['loss', 2],
    ['acc', 2],
  ]);

  test('may hold more points than the full series, and is followed with them', async () => {
    await cache.look(
      wanted({
        tags: reduced,
        window: { axis: 'step', from: 1, to: 2 },
        windowTags: new Map([['loss', 120_000]]),
      }),
    );
    const points = (): (number | undefined)[] =>
      logs.asked
        .filter(({ question }) => question.tags.includes('loss'))
        .map(({ question }) => question.maxPoints);
    expect(points().sort()).toEqual([120_000, 2]);
    logs.write('./a', 'loss', 2);
    await cache.follow(7);
    expect(logs.asked.at(-1)?.question.maxPoints).toBe(120_000);
    expect(points()).toHaveLength(3);
  });

  test('is fetched, and the full series is kept', async () => {
    await cache.look(wanted({ tags: reduced }));
    await cache.look(wanted({ tags: reduced, window: { axis: 'step', from: 1.5, to: 2.5 } }));
    expect(logs.asked[1]?.question).toMatchObject({ startStep: 1, endStep: 3 });
    expect(cache.get('./a', 'loss')).toMatchObject({ detailOf: 'step:1.5:2.5' });
    expect(steps('./a', 'loss')).toEqual([1, 2]);
  });

  test('is that of the tag if its chart has another x axis', async () => {
    const tags = new Map([...reduced, ['acc', 2]] as [string, number][]);
    const [window, own] = [null, { axis: 'step', from: 2, to: 3 } as const];
    await cache.look(wanted({ tags, window, windows: new Map([['acc', own]]) }));
    const asked = logs.asked.slice(1).map(({ question }) => question);
    expect(asked).toMatchObject([{ tags: ['acc'], startStep: 2, endStep: 3 }]);
    expect(cache.get('./a', 'acc')).toMatchObject({ detailOf: 'step:2:3' });
    expect(cache.isStale('acc', ['./a'], own, '')).toBe(false);
  });

  test('is not fetched if every point is known; those are followed', async () => {
    const window = { axis: 'step', from: 1.5, to: 2.5 } as const;
    await cache.look(wanted({ window }));
    expect(logs.asked).toHaveLength(1);
    logs.write('./a', 'loss', 4);
    await cache.follow(1);
    expect(steps('./a', 'loss')).toEqual([1, 2, 3, 4]);
  });

  test('is fetched once a series exceeds the size of a full answer', async () => {
    const window = { axis: 'step', from: 1, to: 3 } as const;
    await cache.look(wanted({ tags: new Map([['loss', 3]]), trainIds: ['./a'], window }));
    logs.write('./a', 'loss', 4, 5, 6);
    await cache.follow(1);
    logs.write('./a', 'loss', 7, 8, 9);
    await cache.follow(2);
    await cache.follow(3);
    expect(logs.asked.at(-1)?.question).toMatchObject({ startStep: 1, endStep: 3 });
    expect([...(cache.get('./a', 'loss')?.detail?.step ?? [])]).toEqual([1, 2, 3]);
  });

  test('in relative time is relative to the start of each job', async () => {
    logs.write('./late', 'loss', 101, 102, 103);
    await cache.look(
      wanted({
        trainIds: ['./a', './late'],
        tags: reduced,
        window: { axis: 'relative', from: 1, to: 2 },
      }),
    );
    const times = logs.asked.map(({ question }) => [question.startTime, question.endTime]);
    expect(times).toContainEqual([2, 3]);
    expect(times).toContainEqual([102, 103]);
  });

  test('is dropped after the view leaves it', async () => {
    await cache.look(wanted({ window: { axis: 'step', from: 1, to: 2 } }));
    await cache.look(wanted());
    const before = logs.asked.length;
    await cache.follow(9);
    expect(logs.asked.slice(before).every(({ question }) => question.startStep === undefined)).toBe(
      true,
    );
  });
});

describe('a failure', () => {
  test('is reported for its tags and cleared by a retry', async () => {
    logs.failing = new ApiError(400, '50540002', 'Too much.');
    await cache.look(wanted());
    expect(cache.failure('loss')).toBe('Too much.');
    logs.failing = null;
    await cache.retry();
    expect(cache.failure('loss')).toBeUndefined();
    expect(steps('./a', 'loss')).toEqual([1, 2, 3]);
  });

  test('of the connection keeps the old data visible', async () => {
    await cache.look(wanted());
    logs.failing = new ApiError(0, '', 'Failed to fetch');
    await cache.follow(1);
    expect(cache.failure('loss')).toBeUndefined();
    logs.failing = null;
    logs.write('./a', 'loss', 4);
    await cache.follow(1);
    expect(steps('./a', 'loss')).toEqual([1, 2, 3, 4]);
  });
});

test('a new smoothing reloads all visible data', async () => {
  await cache.look(wanted());
  const before = logs.asked.length;
  await cache.look(wanted({ smoothing: 'ema:0.6' }));
  expect(logs.asked.slice(before)).toMatchObject([
    { since: null, question: { smoothing: 'ema:0.6', tags: ['loss', 'acc'] } },
  ]);
  await cache.look(wanted({ smoothing: 'ema:0.6' }));
  expect(logs.asked.length).toBe(before + 1);
});

describe('answers out of order', () => {
  let slow: SlowLogs;
  const one = (more: Partial<Wanted> = {}): Wanted =>
    wanted({ trainIds: ['./a'], tags: new Map([['loss', 1_000]]), has: () => true, ...more });

  beforeEach(() => {
    slow = new SlowLogs();
    slow.write('./a', 'loss', 1, 2, 3);
    cache = new ScalarCache(slow, (tags) => changes.push(...tags));
  });

  test('an increment of an abandoned request is not appended', async () => {
    const looks = [cache.look(one())];
    await slow.answer(0);
    slow.write('./a', 'loss', 4);
    looks.push(cache.follow(1));
    looks.push(cache.look(one({ smoothing: 'ema:0.6' })));
    looks.push(cache.look(one()));
    expect(slow.asked.map(({ since, question }) => [since === null, question.smoothing])).toEqual([
      [true, undefined],
      [false, undefined],
      [true, 'ema:0.6'],
      [true, undefined],
    ]);
    for (const number of [3, 2, 1]) await slow.answer(number);
    await Promise.all(looks);
    expect(steps('./a', 'loss')).toEqual([1, 2, 3, 4]);
  });

  test('a failure of an abandoned request is not reported', async () => {
    slow.failing = new ApiError(400, '50540002', 'Too much.');
    const looks = [cache.look(one({ smoothing: 'ema:0.6' }))];
    slow.failing = null;
    looks.push(cache.look(one()));
    await slow.answer(1);
    await slow.answer(0);
    await Promise.all(looks);
    expect(cache.failure('loss')).toBeUndefined();
    expect(steps('./a', 'loss')).toEqual([1, 2, 3]);
  });

  test('an increment is not appended to points of another request', async () => {
    const looks = [cache.look(one())];
    await slow.answer(0);
    slow.write('./a', 'loss', 4);
    looks.push(cache.look(one({ tags: new Map([['loss', 4_000]]) })));
    await slow.answer(1);
    expect(steps('./a', 'loss')).toEqual([1, 2, 3, 4]);
    slow.write('./a', 'loss', 5);
    looks.push(cache.look(one()));
    looks.push(cache.follow(1));
    for (let number = 2; number < slow.asked.length; number++) await slow.answer(number);
    looks.push(cache.follow(2));
    for (let number = 3; number < slow.asked.length; number++) await slow.answer(number);
    await Promise.all(looks);
    expect(steps('./a', 'loss')).toEqual([1, 2, 3, 4, 5]);
  });
});
