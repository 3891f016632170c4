import { computed, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';

import { formatDuration, formatStep, formatTime, formatValue } from '@/base/format';
import { useTooltipWords } from '@/cards/tooltip_words';
import type { Line, ValueAxis } from '@/charts/line';

export function useChartTexts(
  tag: () => string,
  lines: ComputedRef<readonly Line[]>,
  xAxis: ComputedRef<ValueAxis>,
) {
  const { t } = useI18n();
  const tooltipWords = useTooltipWords();
  return computed(() => ({
    summary: t('scalar.summary', {
      tag: tag(),
      n: lines.value.length,
      axis: t(`scalar.axes.${xAxis.value}`),
      from: formatX(Math.min(...lines.value.map(({ x }) => x[0] ?? Infinity)), xAxis.value),
      to: formatX(
        Math.max(...lines.value.map(({ x }) => x[x.length - 1] ?? -Infinity)),
        xAxis.value,
      ),
    }),
    ...tooltipWords(lines.value.some(({ count }) => count) ? t('tooltip.group') : undefined),
  }));
}

export function formatX(x: number, axis: ValueAxis): string {
  if (!Number.isFinite(x)) return '–';
  if (axis === 'step') return formatStep(Math.round(x));
  if (axis === 'value') return formatValue(x);
  return axis === 'relative' ? formatDuration(x) : formatTime(x);
}
