import type { TrainJob } from '@/api/train_jobs';
import type { Value } from '@/base/job_query';
import { jobName } from '@/store/job_name';

import type { SweepRow } from './rows';

/** A head, and a line per run with all digits. */
export function tableOf(
  rows: readonly SweepRow[],
  columns: readonly string[],
  names: readonly string[],
  getter: (field: string) => (job: TrainJob) => Value,
  groupOf: ((row: SweepRow) => string) | null,
): string[][] {
  const text = (value: Value): string =>
    value === null || value === undefined ? '' : String(value);
  const getters = columns.map(getter);
  const lines = rows.flatMap((row) =>
    row.jobs.map((job) => [
      ...(groupOf ? [groupOf(row)] : []),
      jobName(job.train_id),
      job.session_status ?? '',
      ...getters.map((get) => text(get(job))),
    ]),
  );
  return [[...(groupOf ? ['group'] : []), 'run', 'status', ...names], ...lines];
}
