import { computed, type ComputedRef } from 'vue';

import type { ParityQuestion } from './api';
import { compareState } from './page_state';
import { rulesOf } from './parity_rows';

/** The two runs and how they are compared; runs that are not selected give way to the first ones. */
export function useParityQuestion(trainIds: () => readonly string[]): ComputedRef<ParityQuestion> {
  const state = compareState.use();

  return computed(() => {
    const ids = trainIds();
    const a = ids.includes(state.a) ? state.a : (ids.find((id) => id !== state.b) ?? '');
    const b = ids.includes(state.b) && state.b !== a ? state.b : (ids.find((id) => id !== a) ?? '');
    return { a, b, rtol: state.rtol, atol: state.atol, map: rulesOf(state.rules) };
  });
}
