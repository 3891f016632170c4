import { computed, type ComputedRef, type WritableComputedRef } from 'vue';

import { cardText } from '@/cards/card_state';
import type { ValueAxis } from '@/charts/line';

import type { ChartSpec } from './chart_spec';
import { readSettings, writeSettings, type ChartSettings } from './chart_settings';
import { useScalarView } from './view_state';

/** The name of a chart's settings: its tag, which a pinned chart shares, or its text. */
export const settingsName = (chart: ChartSpec): string =>
  chart.text === null ? chart.tag : `=${chart.text}`;

export function useChartSettings(
  chart: ChartSpec,
  grouped: () => boolean,
): {
  settings: WritableComputedRef<ChartSettings>;
  xAxis: ComputedRef<ValueAxis>;
} {
  const view = useScalarView();
  const text = cardText(view, 'settings', () => settingsName(chart));
  const settings = computed({
    get: () => readSettings(text.value),
    set: (next) => (text.value = writeSettings(next)),
  });
  const xAxis = computed(() => (grouped() ? null : settings.value.xAxis) ?? view.xAxis);
  return { settings, xAxis };
}
