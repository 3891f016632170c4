import { computed, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';

import { formatDuration, formatStep, formatTime, formatValue } from '@/base/format';
import { useTooltipWords } from '@/cards/tooltip_words';
import type { Line, ValueAxis } from '@/charts/line';

import { useScalarView } from './view_state';
import type { Smoothing } from './view_url';

export function useChartTexts(
  tag: () => string,
  lines: ComputedRef<readonly Line[]>,
  xAxis: ComputedRef<ValueAxis>,
  /** Whether lines without raw values are smoothed, too: those of groups. */
  smoothed: () => boolean = () => false,
) {
  const { t } = useI18n();
  const tooltipWords = useTooltipWords();
  return computed(() => {
    const words = tooltipWords(
      lines.value.some(({ count }) => count) ? t('tooltip.group') : undefined,
    );
    const { columns } = words;
    return {
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
      ...words,
      columns: smoothed() ? { ...columns, value: columns.smoothed } : columns,
    };
  });
}

/** How the lines of charts are computed from the logged points; empty: they are drawn as logged. */
export function useLineWords(): (smoothing: Smoothing, grouped: boolean) => string[] {
  const { t } = useI18n();
  const view = useScalarView();
  return ({ smoothing, smoothingKind }, grouped) => {
    const strength = `${t(`scalar.smoothings.${smoothingKind}`)} ${smoothing}`;
    return [
      ...(smoothing > 0 ? [t('app.named', { what: t('scalar.smooth'), name: strength })] : []),
      ...(grouped
        ? [`${t(`scalar.centres.${view.centre}`)}, ${t(`scalar.spreads.${view.spread}`)}`]
        : []),
    ];
  };
}

export function formatX(x: number, axis: ValueAxis): string {
  if (!Number.isFinite(x)) return '–';
  if (axis === 'step') return formatStep(Math.round(x));
  if (axis === 'value') return formatValue(x);
  return axis === 'relative' ? formatDuration(x) : formatTime(x);
}
