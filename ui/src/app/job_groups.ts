import type { TrainJob } from '@/api/train_jobs';
import { addTo } from '@/base/grouped';

export type Section = 'shown' | 'selected' | 'others';

export type PanelRow =
  | { readonly kind: 'section'; readonly key: Section }
  | { readonly kind: 'group'; readonly key: string; readonly name: string; readonly ids: string[] }
  | { readonly kind: 'job'; readonly key: string; readonly job: TrainJob };

const rowOf = (job: TrainJob): PanelRow => ({ kind: 'job', key: `job ${job.train_id}`, job });

/** Runs that a link shows first, then the selected ones, below the headings of their groups if there are any. */
export function panelRows(
  jobs: readonly TrainJob[],
  sectionOf: (job: TrainJob) => Section,
  groupOf: ((job: TrainJob) => string) | null = null,
): PanelRow[] {
  const of = (section: Section): TrainJob[] => jobs.filter((job) => sectionOf(job) === section);
  const [shown, selected, others] = [of('shown'), of('selected'), of('others')];
  return [
    ...section('shown', shown, shown.map(rowOf)),
    ...section('selected', selected, groupOf ? grouped(selected, groupOf) : selected.map(rowOf)),
    ...section('others', others, others.map(rowOf)),
  ];
}

const section = (
  key: Section,
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
