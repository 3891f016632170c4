import { defineStore } from 'pinia';
import { ref } from 'vue';

import { rowAt, STEP_RULES, type StepRule } from '@/base/steps';

import type { Query } from './url_state';

export const useGlobalStep = defineStore('global_step', () => {
  /** Null: the last of each series. */
  const step = ref<number | null>(null);
  const rule = ref<StepRule>('nearest');

  const rowOf = (steps: ArrayLike<number>): number => rowAt(steps, step.value, rule.value);

  const urlPart = {
    shared: true,
    write: () => ({
      step: step.value === null ? undefined : String(step.value),
      align: rule.value === 'nearest' ? undefined : rule.value,
    }),
    read: (query: Query): void => {
      const wanted = Number(query['step'] ?? NaN);
      step.value = Number.isFinite(wanted) ? wanted : null;
      rule.value = STEP_RULES.find((name) => name === query['align']) ?? 'nearest';
    },
  };

  return { step, rule, rowOf, urlPart };
});
