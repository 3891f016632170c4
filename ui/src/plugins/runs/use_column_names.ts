import { useI18n } from 'vue-i18n';

import { useSeriesWords } from '@/jobs/series_words';

import { columnLabel } from './columns';

export function useColumnNames(): (id: string) => string {
  const i18n = useI18n();
  const seriesName = useSeriesWords();
  return (id) =>
    i18n.te(`runs.columns.${id}`)
      ? i18n.t(`runs.columns.${id}`)
      : (seriesName(id) ?? columnLabel(id));
}
