import { computed } from 'vue';
import { useI18n } from 'vue-i18n';

import type { Series } from '@/api/series';
import { formatStep } from '@/base/format';
import { useGlobalStep } from '@/store/global_step';
import { useSeries } from '@/store/series';

import { useCardSteps } from './shown_steps';

/** The series of a card, at the step of the step slider. */
export function useStepCard<Kind extends Series>(
  pluginName: string,
  place: () => { readonly tag: string; readonly trainId: string },
  key = () => `${place().tag}\0${place().trainId}`,
) {
  const { t } = useI18n();
  const global = useGlobalStep();
  const { series, problem, waiting, retry, sampled } = useSeries<Kind>(
    pluginName,
    () => place().trainId,
    () => place().tag,
  );
  useCardSteps(key, () => series.value?.step);
  /** Its row at the step; -1: none. */
  const row = computed(() => (series.value ? global.rowOf(series.value.step) : -1));
  const step = computed(() => series.value?.step[row.value] ?? null);
  const stepText = computed(() =>
    t('step.at', { step: step.value === null ? '–' : formatStep(step.value) }),
  );
  /** Why there is no value at the step; empty: there may be one. */
  const missing = computed(() => {
    if (!series.value) return '';
    if (row.value < 0) return t('step.none', { step: formatStep(global.step ?? 0) });
    return series.value.problems.find((one) => one.row === row.value)?.detail ?? '';
  });
  const frame = computed(() => ({
    tag: place().tag,
    trainId: place().trainId,
    problem: problem.value,
    waiting: waiting.value,
    sampled: sampled.value,
    onRetry: retry,
  }));
  return { series, row, step, stepText, missing, frame };
}
