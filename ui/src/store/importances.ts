import { onScopeDispose, ref, shallowRef, watch } from 'vue';

import { ApiError } from '@/api/client';
import { searchImportances, type ImportanceAnswer, type ImportanceQuestion } from '@/api/lineage';

const SETTLED = 400;

/** How much each parameter matters; null: nothing to ask. */
export function useImportances(question: () => ImportanceQuestion | null) {
  const answer = shallowRef<ImportanceAnswer | null>(null);
  /** The question that the answer belongs to. */
  const answered = shallowRef<ImportanceQuestion | null>(null);
  const problem = ref<string | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;

  async function ask(): Promise<void> {
    const number = ++latest;
    const current = question();
    if (current === null) {
      answer.value = answered.value = problem.value = null;
      return;
    }
    try {
      const found = await searchImportances(current);
      if (number !== latest) return;
      answer.value = found;
      answered.value = current;
      problem.value = null;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      if (number === latest) problem.value = reason.message;
    }
  }

  watch(
    () => JSON.stringify(question()),
    () => {
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), answer.value ? SETTLED : 0);
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    clearTimeout(timer);
    latest++;
  });

  return { answer, answered, problem, retry: () => void ask() };
}
