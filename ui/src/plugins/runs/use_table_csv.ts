import { fetchLineageColumns } from '@/api/lineage';
import { fetchRunRows, type RunsQuestion } from '@/api/train_jobs';
import { saveFile } from '@/charts/saved_file';
import { FactTable } from '@/store/fact_table';
import { useJobFields } from '@/store/job_fields';
import { useRunWindow } from '@/store/run_window';

import { useGroupNames } from './group_names';
import { csvRows, type CsvRow } from './table_csv';
import { useColumnNames } from './use_column_names';
import type { RunsTable } from './use_runs_table';

const PAGE = 2_000;

/** Downloads the table as shown, with the rows that are not listed yet. */
export function useTableCsv(table: RunsTable): () => Promise<void> {
  const nameOf = useColumnNames();
  const groups = useGroupNames();
  const fields = useJobFields();
  const window = useRunWindow();

  function rows(): CsvRow[] {
    let group = '';
    return table.rows.value.flatMap((row) => {
      if (row.kind === 'rest') return [];
      if (row.kind === 'run') return { group, job: row.job, summaryOf: () => undefined };
      group = groups.nameOf(row);
      return { group, job: null, summaryOf: row.summaryOf };
    });
  }

  const columnsOf = (): { id: string; title: string }[] =>
    table.columns.value.map(({ id }) => ({ id, title: nameOf(id) }));

  /** The rows of all pages, of a folder whose runs are not all listed. */
  async function everyRow(question: RunsQuestion): Promise<string[][]> {
    const columns = columnsOf();
    const scalars = fields.scalarColumns(columns.map(({ id }) => id));
    let lines: string[][] = [];
    for (let offset = 0, isLast = false; !isLast; offset += PAGE) {
      const { train_jobs: jobs, matching } = await fetchRunRows({
        ...question,
        offset,
        limit: PAGE,
      });
      isLast = offset + PAGE >= matching;
      const ids = jobs.map((job) => job.train_id);
      if (ids.length === 0) break;
      const read = new FactTable(await fetchLineageColumns(scalars, { train_id: ids }));
      const [head, ...rest] = csvRows({
        columns,
        rows: jobs.map((job) => ({ group: '', job, summaryOf: () => undefined })),
        isGrouped: false,
        valueOf: (id, job) => fields.getterIn(read, id)(job),
      });
      lines = [...(offset === 0 && head ? [head] : lines), ...rest];
    }
    return lines;
  }

  async function asShown(): Promise<string[][]> {
    await table.listGroups();
    return csvRows({
      columns: columnsOf(),
      rows: rows(),
      isGrouped: table.isGrouped.value,
      valueOf: (id, job) => fields.getter(id)(job),
    });
  }

  return async () => {
    const { csvOf } = await import('@/charts/line_picture');
    const { question } = window;
    const csv = await (question === null || table.isGrouped.value ? asShown() : everyRow(question));
    saveFile('runs.csv', 'text/csv', csvOf(csv));
  };
}
