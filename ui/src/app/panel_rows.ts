import { computed, shallowRef, watch, type ComputedRef, type Ref } from 'vue';

import type { TrainJob } from '@/api/train_jobs';
import { rowRange } from '@/jobs/row_range';
import { useRunOrder } from '@/store/run_order';
import { useSelection } from '@/store/selection';
import { useTrainJobs } from '@/store/train_jobs';

import { panelRows, type PanelRow, type Section } from './job_groups';

interface PanelRows {
  readonly rows: ComputedRef<readonly PanelRow[]>;
  /** Runs that belong to a section now. */
  readonly countOf: (key: Section) => number;
  /** `through`: also the runs since the one clicked before. */
  readonly select: (trainId: string, selects: boolean, through: boolean) => void;
  readonly hide: (trainId: string, hides: boolean, through: boolean) => void;
  /** Move the rows that `select` has left in place to their sections. */
  readonly release: () => void;
}

/** The rows of the panel. Those that are selected or unselected in it stay where they are at first. */
export function usePanelRows(onlySelected: Readonly<Ref<boolean>>): PanelRows {
  const jobs = useTrainJobs();
  const order = useRunOrder();
  const selection = useSelection();

  const shown = computed(() => new Set(selection.shownBeside));
  const isSelected = (job: TrainJob): boolean => selection.selectedSet.has(job.train_id);
  const sectionOf = (job: TrainJob): Section => {
    if (isSelected(job)) return 'selected';
    return shown.value.has(job.train_id) ? 'shown' : 'others';
  };
  const held = shallowRef<readonly PanelRow[] | null>(null);
  const current = computed(() =>
    panelRows(
      onlySelected.value ? order.sorted.filter(isSelected) : order.sorted,
      sectionOf,
      order.isGrouped
        ? order.groupNamer(selection.visible.flatMap((id) => jobs.byId.get(id) ?? []))
        : null,
    ),
  );
  const rows = computed(() => held.value ?? current.value);
  const listed = computed(() => rows.value.flatMap((row) => (row.kind === 'job' ? [row.job] : [])));
  const idsOf = (some: readonly TrainJob[]): string[] => some.map((job) => job.train_id);

  const rangeOfRows = rowRange(() => idsOf(listed.value));
  const rangeOfEyes = rowRange(() =>
    idsOf(listed.value.filter((job) => sectionOf(job) !== 'others')),
  );

  const release = (): void => {
    held.value = null;
  };
  let isOwn = false;
  function select(trainId: string, selects: boolean, through: boolean): void {
    held.value ??= current.value;
    isOwn = true;
    selection.set(rangeOfRows(trainId, through), selects);
    isOwn = false;
  }
  watch(
    () => selection.present,
    () => {
      if (!isOwn) release();
    },
    { flush: 'sync' },
  );
  watch([() => selection.filter, () => order.sort, () => order.by, onlySelected], release);

  return {
    rows,
    countOf: (key) => listed.value.filter((job) => sectionOf(job) === key).length,
    select,
    hide: (trainId, hides, through) => selection.hide(rangeOfEyes(trainId, through), hides),
    release,
  };
}
