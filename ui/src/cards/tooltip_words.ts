import { useI18n } from 'vue-i18n';

export function useTooltipWords() {
  const { t } = useI18n();
  return () => ({
    step: t('step.title'),
    pin: t('card.pin'),
    unpin: t('card.unpin'),
    more: (n: number) => t('card.more', { n }),
  });
}
