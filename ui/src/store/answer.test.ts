import { expect, test } from 'vitest';
import { effectScope, nextTick, ref } from 'vue';

import { ApiError } from '@/api/client';

import { useAnswer, type Answer } from './answer';

interface Asked {
  readonly question: string;
  readonly answer: (text: string) => void;
  readonly fail: (reason: Error) => void;
}

/** Request the value of a ref; the test answers. */
function asking(
  question: { value: string | null },
  version: () => unknown = () => null,
): { answer: Answer<string>; asked: Asked[]; stop: () => void } {
  const asked: Asked[] = [];
  const scope = effectScope(true);
  const answer = scope.run(() =>
    useAnswer(
      () => question.value,
      (one) =>
        new Promise<string>((resolve, reject) =>
          asked.push({ question: one, answer: resolve, fail: reject }),
        ),
      version,
    ),
  );
  if (!answer) throw new Error('The scope has ended.');
  return {
    answer,
    asked,
    stop: () => {
      scope.stop();
    },
  };
}

/** Run pending promises. */
const settled = async (): Promise<void> => {
  await Promise.resolve();
  await nextTick();
};

test('ignores outdated answers', async () => {
  const question = ref<string | null>('first');
  const { answer, asked } = asking(question);
  question.value = 'second';
  await nextTick();
  asked[1]?.answer('of the second');
  asked[0]?.answer('of the first');
  await settled();
  expect(answer.value.value).toBe('of the second');
  expect(answer.waiting.value).toBe(false);
});

test('the old answer stays until the next one arrives, and after a failure', async () => {
  const question = ref<string | null>('first');
  const { answer, asked } = asking(question);
  asked[0]?.answer('old');
  await settled();
  question.value = 'second';
  await nextTick();
  expect(answer.value.value).toBe('old');
  asked[1]?.fail(new ApiError(500, '', 'no'));
  await settled();
  expect([answer.value.value, answer.problem.value, answer.waiting.value]).toEqual([
    'old',
    'no',
    false,
  ]);
  answer.ask();
  expect(answer.problem.value).toBeNull();
  asked[2]?.answer('new');
  await settled();
  expect(answer.value.value).toBe('new');
});

test('clears answer, error and loading state when the request becomes null', async () => {
  const question = ref<string | null>('first');
  const { answer, asked } = asking(question);
  asked[0]?.answer('old');
  await settled();
  question.value = 'second';
  await nextTick();
  question.value = null;
  await nextTick();
  expect([answer.value.value, answer.problem.value, answer.waiting.value]).toEqual([
    null,
    null,
    false,
  ]);
  asked[1]?.answer('too late');
  await settled();
  expect(answer.value.value).toBeNull();
});

test('stops after its scope is disposed', async () => {
  const { answer, asked, stop } = asking(ref('first'));
  stop();
  asked[0]?.answer('late');
  await settled();
  expect(answer.value.value).toBeNull();
});

test('requests that change faster than they are answered still get answers', async () => {
  const version = ref(0);
  const { answer, asked } = asking(ref('how long?'), () => version.value);
  for (let i = 0; i < 4; i++) {
    version.value++;
    await nextTick();
    version.value++;
    await nextTick();
    expect(asked).toHaveLength(i + 1);
    asked[i]?.answer(String(i));
    await settled();
    expect(answer.value.value).toBe(String(i));
  }
});
