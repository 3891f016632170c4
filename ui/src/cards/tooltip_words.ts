import { useI18n } from 'vue-i18n';

/** `line`: head of the column of names, by default of runs. */
export function useTooltipWords() {
  const { t } = useI18n();
  return (line = t('tooltip.run')) => ({
    columns: {
      line,
      value: t('tooltip.value'),
      smoothed: t('tooltip.smoothed'),
      raw: t('tooltip.raw'),
      step: t('tooltip.step'),
      time: t('tooltip.time'),
    },
    pin: t('card.pin'),
    unpin: t('card.unpin'),
    more: (n: number) => t('card.more', { n }),
  });
}
