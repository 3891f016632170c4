import type { TrainJob } from '@/api/train_jobs';
import { addTo } from '@/base/grouped';

export type PanelRow =
  | { readonly kind: 'section'; readonly key: 'selected' | 'others' }
  | { readonly kind: 'group'; readonly key: string; readonly name: string; readonly ids: string[] }
  | { readonly kind: 'job'; readonly key: string; readonly job: TrainJob };

const rowOf = (job: TrainJob): PanelRow => ({ kind: 'job', key: `job ${job.train_id}`, job });

/** Selected runs first, below the headings of their groups if there are any, then the others. */
export function panelRows(
  jobs: readonly TrainJob[],
  isSelected: (job: TrainJob) => boolean,
  groupOf: ((job: TrainJob) => string) | null = null,
): PanelRow[] {
  const selected = jobs.filter(isSelected);
  const others = jobs.length === selected.length ? [] : jobs.filter((job) => !isSelected(job));
  return [
    ...section('selected', selected, groupOf ? grouped(selected, groupOf) : selected.map(rowOf)),
    ...section('others', others, others.map(rowOf)),
  ];
}

const section = (
  key: 'selected' | 'others',
  jobs: readonly TrainJob[],
  rows: readonly PanelRow[],
): readonly PanelRow[] => (jobs.length === 0 ? [] : [{ kind: 'section', key }, ...rows]);

function grouped(jobs: readonly TrainJob[], groupOf: (job: TrainJob) => string): PanelRow[] {
  const groups = new Map<string, TrainJob[]>();
  for (const job of jobs) addTo(groups, groupOf(job), job);
  return [...groups].flatMap(([name, members]): PanelRow[] => [
    { kind: 'group', key: `group ${name}`, name, ids: members.map((job) => job.train_id) },
    ...members.map(rowOf),
  ]);
}
