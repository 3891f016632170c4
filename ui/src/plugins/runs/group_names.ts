import { useI18n } from 'vue-i18n';

import type { Value } from '@/base/job_query';
import { usePreferences } from '@/store/preferences';
import { useRunOrder } from '@/store/run_order';

import { cellText } from './columns';
import type { GroupTableRow } from './table_rows';
import { useColumnNames } from './use_column_names';

/** Names of the table's groups: `lr 0.1, optimizer adam`. */
export function useGroupNames() {
  const { t } = useI18n();
  const columnName = useColumnNames();
  const order = useRunOrder();
  const preferences = usePreferences();

  /** A value that the runs of a group share. */
  function textOf(column: string, value: Value): string {
    if (column === 'state') return t(`runs.states.${String(value)}`);
    return cellText(column, value, 0, preferences.locale);
  }

  const partsOf = ({ summaryOf }: GroupTableRow): readonly { field: string; text: string }[] =>
    order.groupedBy.flatMap((field) => {
      const summary = summaryOf(field);
      return summary?.kind === 'same' ? [{ field, text: textOf(field, summary.value) }] : [];
    });

  function nameOf(row: GroupTableRow): string {
    const parts = partsOf(row).map(({ field, text }) => `${columnName(field)} ${text}`);
    if (parts.length > 0) return parts.join(', ');
    if (order.groupedBy.length === 0) return t('runs.allRuns');
    return t(order.isByConfig ? 'group.noConfig' : 'runs.without');
  }

  /** As in the run panel and the charts: of a single column, the value alone. */
  const shortNameOf = (row: GroupTableRow): string =>
    (order.isNamedByValue ? partsOf(row)[0]?.text : undefined) ?? nameOf(row);

  return { nameOf, shortNameOf, textOf };
}
