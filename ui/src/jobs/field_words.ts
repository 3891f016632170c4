import { useI18n } from 'vue-i18n';

import { useJobFields } from '@/store/job_fields';

const STATISTIC = /^scalar\/(.*)\/(last|min|max)$/;

/** Names of fields on the page: `Last loss` for `scalar/loss/last`. */
export function useFieldWords(): (field: string) => string {
  const i18n = useI18n();
  const { t } = i18n;
  const fields = useJobFields();

  return (field) => {
    if (i18n.te(`group.fields.${field}`)) return t(`group.fields.${field}`);
    const [, tag, statistic] = STATISTIC.exec(field) ?? [];
    return tag === undefined
      ? fields.titleOf(fields.resolve(field))
      : t(`panel.metrics.${statistic ?? ''}`, { tag });
  };
}
