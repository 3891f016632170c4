import { useI18n } from 'vue-i18n';

import { readScalarColumn } from '@/base/scalar_columns';

/** Names of columns of scalars: `val/acc max` for `scalar/val/acc/max`; null for other columns. */
export function useSeriesWords(): (column: string) => string | null {
  const { t } = useI18n();
  return (column) => {
    const { tag, statistic = '', at = null } = readScalarColumn(column) ?? {};
    if (tag === undefined) return null;
    if (at === null) return t(`series.${statistic}`, { tag });
    const [which = '', ...other] = at.split(' ');
    return t(`series.at_${which}`, { tag, other: other.join(' ') });
  };
}
