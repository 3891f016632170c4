import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { effectScope, nextTick, ref } from 'vue';

import { useImportances } from './importances';

const scope = effectScope();
let answers: ((target: string) => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { baseURI: 'http://host/' });
  vi.stubGlobal(
    'fetch',
    () =>
      new Promise<Response>((done) => {
        answers.push((name) => {
          done(Response.json({ metadata: {}, targets: [{ name }] }));
        });
      }),
  );
});
afterEach(() => {
  answers = [];
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('each question is asked once, and the answer to an earlier one is dropped', async () => {
  const target = ref('loss');
  const { answer, answered } = scope.run(() =>
    useImportances(() => ({ trainIds: ['./a'], parameters: ['lr'], target: target.value })),
  ) ?? { answer: ref(), answered: ref() };
  await vi.runAllTimersAsync();
  target.value = 'acc';
  await nextTick();
  await vi.runAllTimersAsync();
  expect(answers).toHaveLength(2);
  answers[1]?.('acc');
  answers[0]?.('loss');
  await vi.runAllTimersAsync();
  expect([answer.value?.targets[0]?.name, answered.value?.target]).toEqual(['acc', 'acc']);
  expect(answers).toHaveLength(2);
  scope.stop();
});
