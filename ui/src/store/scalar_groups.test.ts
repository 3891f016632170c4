import { Table, tableFromArrays, tableToIPC } from '@uwdata/flechette';
import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { effectScope, nextTick, type EffectScope } from 'vue';

import { useScalarGroups } from './scalar_groups';

interface Request {
  readonly tags: readonly string[];
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly answer: () => void;
}

let requests: Request[];
let scope: EffectScope;

/** Each group has one point, whose mean is the number of its runs. */
function answerOf({ tags, groups }: Pick<Request, 'tags' | 'groups'>): Response {
  const rows = tags.flatMap((tag) =>
    Object.entries(groups).map(([name, runs]) => ({ name, tag, size: runs.length })),
  );
  const sizes = Float64Array.from(rows, ({ size }) => size);
  const names = ['x', 'n', 'mean', 'median', 'min', 'max', 'std', 'confidence'];
  const { schema, children } = tableFromArrays(
    names.map((name): [string, Float64Array] => [name, sizes]),
  );
  const about = {
    groups: rows.map(({ name, tag, size }) => ({ name, tag, series: size, rows: 1 })),
  };
  const metadata = new Map([['mindviz', JSON.stringify(about)]]);
  const bytes = tableToIPC(new Table({ ...schema, metadata }, children), { format: 'stream' });
  return new Response(bytes?.slice().buffer);
}

beforeEach(() => {
  requests = [];
  vi.useFakeTimers();
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  vi.stubGlobal(
    'fetch',
    (_url: URL, { body }: { readonly body: string }) =>
      new Promise<Response>((resolve) => {
        const question = JSON.parse(body) as Pick<Request, 'tags' | 'groups'>;
        requests.push({ ...question, answer: () => resolve(answerOf(question)) });
      }),
  );
  setActivePinia(createPinia());
  scope = effectScope();
});

afterEach(() => {
  scope.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const runs = (count: number): string[] => Array.from({ length: count }, (_, i) => `./${i}`);

async function ask(groups: Request['groups'], tags: readonly string[]) {
  const store = useScalarGroups();
  const series = new Map(scope.run(() => tags.map((tag) => [tag, store.useTag(tag)] as const)));
  store.question = { groups, x: 'step', max_points: 100 };
  await nextTick();
  await vi.runAllTimersAsync();
  return { store, meanOf: (tag: string) => series.get(tag)?.()?.[0]?.mean[0] };
}

const requestedTags = (): string[] => requests.map(({ tags }) => tags.join());

test('tags of many runs are requested one by one, two at a time', async () => {
  const { meanOf } = await ask({ all: runs(1000) }, ['a', 'b', 'c']);
  expect(requestedTags()).toEqual(['a', 'b']);
  requests[1]?.answer();
  await vi.runAllTimersAsync();
  expect([meanOf('a'), meanOf('b')]).toEqual([undefined, 1000]);
  expect(requestedTags()).toEqual(['a', 'b', 'c']);
});

test('the first tags are requested before their charts are mounted, and not again', async () => {
  const store = useScalarGroups();
  const question = { groups: { all: runs(1000) }, x: 'step', max_points: 100 } as const;
  store.begin(['a']);
  store.question = question;
  store.begin(['a', 'b', 'c', 'd', 'e']);
  expect(requestedTags()).toEqual(['a', 'b', 'c', 'd']);
  const { meanOf } = await ask(question.groups, ['a', 'b', 'c', 'd', 'e']);
  for (const { answer } of requests) answer();
  await vi.runAllTimersAsync();
  expect(requestedTags()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(meanOf('d')).toBe(1000);
});

test('tags of few runs share a request', async () => {
  const { meanOf } = await ask({ all: runs(3) }, ['a', 'b', 'c']);
  expect(requestedTags()).toEqual(['a,b,c']);
  requests[0]?.answer();
  await vi.runAllTimersAsync();
  expect([meanOf('a'), meanOf('c')]).toEqual([3, 3]);
});

test('an answer to an earlier question is not shown', async () => {
  const { store, meanOf } = await ask({ all: runs(3) }, ['a']);
  await ask({ all: runs(2) }, []);
  expect(requests).toHaveLength(2);
  requests[1]?.answer();
  await vi.runAllTimersAsync();
  expect(store.isStale('a')).toBe(false);
  requests[0]?.answer();
  await vi.runAllTimersAsync();
  expect(meanOf('a')).toBe(2);
  expect(store.isStale('a')).toBe(false);
});
