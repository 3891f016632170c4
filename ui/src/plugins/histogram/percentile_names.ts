import { useI18n } from 'vue-i18n';

import { formatValue } from '@/base/format';

export function usePercentileNames(): (share: number) => string {
  const { t } = useI18n();
  return (share) => {
    if (share === 0) return t('histogram.least');
    if (share === 1) return t('histogram.largest');
    return share === 0.5 ? t('histogram.median') : `${formatValue(share * 100, 4)}%`;
  };
}
