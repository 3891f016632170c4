import { useI18n } from 'vue-i18n';

import { columnLabel } from './columns';

/** What columns are called in the language of the page. */
export function useColumnNames(): (id: string) => string {
  const i18n = useI18n();
  return (id) => (i18n.te(`runs.columns.${id}`) ? i18n.t(`runs.columns.${id}`) : columnLabel(id));
}
