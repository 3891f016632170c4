import { useI18n } from 'vue-i18n';

import { useSeriesWords } from '@/jobs/series_words';
import { useJobFields } from '@/store/job_fields';

import { columnLabel } from './columns';

export function useColumnNames(): (id: string) => string {
  const i18n = useI18n();
  const seriesName = useSeriesWords();
  const fields = useJobFields();
  return (id) =>
    i18n.te(`runs.columns.${id}`)
      ? i18n.t(`runs.columns.${id}`)
      : (seriesName(id) ?? fields.spellings.get(id) ?? columnLabel(id));
}
