import { onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import { ApiError } from '@/api/client';

/** What came of asking. */
export interface Answer<Value> {
  /** The newest answer; stays while the next one is asked for. */
  readonly value: ShallowRef<Value | null>;
  readonly problem: Ref<string | null>;
  readonly waiting: Ref<boolean>;
  /** Once more, after a failure. */
  readonly ask: () => void;
}

/**
 * Asks whenever the question changes, and once more if it changed meanwhile; for what is no
 * series that others show, too. A question of null is none.
 */
export function useAnswer<Question, Value>(
  question: () => Question | null,
  fetch: (question: Question) => Promise<Value>,
): Answer<Value> {
  const value = shallowRef<Value | null>(null);
  const problem = ref<string | null>(null);
  const waiting = ref(false);
  let asked = 0;

  function ask(): void {
    const now = question();
    const turn = ++asked;
    if (now === null) {
      [value.value, problem.value, waiting.value] = [null, null, false];
      return;
    }
    waiting.value = true;
    fetch(now).then(
      (answer) => {
        if (turn !== asked) return;
        value.value = answer;
        problem.value = null;
        waiting.value = false;
      },
      (reason: unknown) => {
        if (turn !== asked) return;
        waiting.value = false;
        if (!(reason instanceof ApiError)) throw reason;
        problem.value = reason.message;
      },
    );
  }

  function again(): void {
    problem.value = null;
    ask();
  }

  watch(() => JSON.stringify(question()), ask, { immediate: true });
  onScopeDispose(() => asked++);
  return { value, problem, waiting, ask: again };
}
