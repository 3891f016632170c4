import { onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import { apiMessage } from '@/api/client';

export interface Answer<Value> {
  /** The latest answer; stays while the next is pending. */
  readonly value: ShallowRef<Value | null>;
  readonly problem: Ref<string | null>;
  readonly waiting: Ref<boolean>;
  readonly ask: () => void;
}

/** Fetches when `question` changes, or `version`, after a pending answer; null fetches nothing. */
export function useAnswer<Question, Value>(
  question: () => Question | null,
  fetch: (question: Question) => Promise<Value>,
  version: () => unknown = () => null,
): Answer<Value> {
  const value = shallowRef<Value | null>(null);
  const problem = ref<string | null>(null);
  const waiting = ref(false);
  let latest = 0;
  let outdated = false;

  function ask(): void {
    const now = question();
    const turn = ++latest;
    outdated = false;
    if (now === null) {
      [value.value, problem.value, waiting.value] = [null, null, false];
      return;
    }
    waiting.value = true;
    fetch(now).then(
      (answer) => {
        if (turn !== latest) return;
        value.value = answer;
        problem.value = null;
        waiting.value = false;
        if (outdated) ask();
      },
      (reason: unknown) => {
        if (turn !== latest) return;
        waiting.value = false;
        problem.value = apiMessage(reason);
      },
    );
  }

  function again(): void {
    problem.value = null;
    ask();
  }

  watch(() => JSON.stringify(question()), ask, { immediate: true });
  watch(
    () => JSON.stringify(version()),
    () => {
      if (waiting.value) outdated = true;
      else ask();
    },
  );
  onScopeDispose(() => latest++);
  return { value, problem, waiting, ask: again };
}
