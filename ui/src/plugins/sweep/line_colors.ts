import { computed, reactive } from 'vue';
import { useI18n } from 'vue-i18n';

import { formatField } from '@/base/format';
import { rampColor, rampRange } from '@/base/value_ramp';
import { usePreferences } from '@/store/preferences';

import { RUN_COLORS, sweepState } from './page_state';
import type { SweepRow } from './rows';
import type { Sweep } from './use_sweep';

export type LineColors = ReturnType<typeof useLineColors>;

/** Colors of the rows in the charts, by a field or by run, and what they mean. */
export function useLineColors(sweep: Sweep, colorOf: (row: SweepRow) => string) {
  const { t } = useI18n();
  const state = sweepState.use();
  const preferences = usePreferences();

  const tint = computed(() => {
    if (state.tint === RUN_COLORS) return null;
    const field = state.tint === '' ? sweep.target : sweep.fieldOf(state.tint);
    return field === null ? null : sweep.axisOfField(field);
  });
  const range = computed(() => rampRange(tint.value?.places ?? []));
  const colors = computed(() =>
    tint.value
      ? Array.from(tint.value.places, (place) => rampColor(place, range.value, preferences.theme))
      : sweep.rows.map(colorOf),
  );
  const bar = computed(() => {
    const axis = tint.value;
    const { low, high, clipped } = range.value;
    if (!axis || !(high > low)) return null;
    const label = (place: number): string =>
      axis.categories
        ? (axis.categories[Math.round(place)] ?? '')
        : formatField(axis.field, Number(axis.valueAt(place).toPrecision(3)));
    const [first, middle, last] = [low, (low + high) / 2, high].map(label);
    const between = axis.categories ? [] : [middle ?? ''];
    return {
      name: sweep.titleOf(axis.field),
      labels: clipped
        ? [`≤ ${first ?? ''}`, ...between, `≥ ${last ?? ''}`]
        : [first ?? '', ...between, last ?? ''],
      note: clipped ? t('sweep.clipped') : undefined,
    };
  });

  return reactive({ colors, bar });
}
