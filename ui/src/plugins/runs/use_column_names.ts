import { useI18n } from 'vue-i18n';

import { columnLabel } from './columns';

export function useColumnNames(): (id: string) => string {
  const i18n = useI18n();
  return (id) => (i18n.te(`runs.columns.${id}`) ? i18n.t(`runs.columns.${id}`) : columnLabel(id));
}
