import { useI18n } from 'vue-i18n';

import { saveFile } from '@/charts/saved_file';
import { useJobFields } from '@/store/job_fields';
import { usePreferences } from '@/store/preferences';

import { cellText } from './columns';
import { csvRows, type CsvRow } from './table_csv';
import type { GroupTableRow } from './table_rows';
import { useColumnNames } from './use_column_names';
import type { RunsTable } from './use_runs_table';

/** Downloads the table as shown. */
export function useTableCsv(table: RunsTable): () => Promise<void> {
  const { t } = useI18n();
  const nameOf = useColumnNames();
  const fields = useJobFields();
  const preferences = usePreferences();

  function groupOf({ summaryOf }: GroupTableRow): string {
    const parts = table.groupedBy.value.flatMap((field) => {
      const summary = summaryOf(field);
      if (summary?.kind !== 'same') return [];
      return `${nameOf(field)} ${cellText(field, summary.value, 0, preferences.locale)}`;
    });
    return (
      parts.join(', ') || t(table.groupedBy.value.length === 0 ? 'runs.allRuns' : 'runs.without')
    );
  }

  function rows(): CsvRow[] {
    let group = '';
    return table.rows.value.map((row) => {
      if (row.kind === 'run') return { group, job: row.job, summaryOf: () => undefined };
      group = groupOf(row);
      return { group, job: null, summaryOf: row.summaryOf };
    });
  }

  return async () => {
    const { csvOf } = await import('@/charts/line_picture');
    const csv = csvRows({
      columns: table.columns.value.map(({ id }) => ({ id, title: nameOf(id) })),
      rows: rows(),
      isGrouped: table.isGrouped.value,
      valueOf: (id, job) => fields.getter(id)(job),
    });
    saveFile('runs.csv', 'text/csv', csvOf(csv));
  };
}
