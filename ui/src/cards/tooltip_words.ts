import { useI18n } from 'vue-i18n';

/** The words of a line chart's tooltip, in the language of the page. */
export function useTooltipWords() {
  const { t } = useI18n();
  return () => ({
    step: t('step.title'),
    pin: t('card.pin'),
    unpin: t('card.unpin'),
    more: (n: number) => t('card.more', { n }),
  });
}
