import { onScopeDispose, ref, shallowRef, watch } from 'vue';

import { ApiError } from '@/api/client';
import { searchImportances, type ImportanceAnswer } from '@/api/lineage';

const SETTLED = 400;

export function useImportances(trainIds: () => readonly string[]) {
  const answer = shallowRef<ImportanceAnswer | null>(null);
  const problem = ref<string | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;

  async function ask(): Promise<void> {
    const number = ++latest;
    const ids = trainIds();
    try {
      for (const forest of [false, true]) {
        const found = await searchImportances(ids, forest);
        if (number !== latest) return;
        answer.value = found;
        problem.value = null;
        if (!found.metadata.permutation_available) return;
      }
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      if (number === latest) problem.value = reason.message;
    }
  }

  watch(
    () => JSON.stringify(trainIds()),
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

  return { answer, problem, retry: () => void ask() };
}
