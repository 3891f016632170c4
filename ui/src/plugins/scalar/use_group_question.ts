import { onScopeDispose, watch } from 'vue';

import { useJobFacts } from '@/store/job_facts';
import { useRunOrder } from '@/store/run_order';
import { useScalarGroups } from '@/store/scalar_groups';
import { useScalars } from '@/store/scalars';
import { useSelection } from '@/store/selection';
import { useTrainJobs } from '@/store/train_jobs';

import { groupsOf } from './group_lines';
import { useScalarView } from './view_state';

/** Grid points of all groups of a chart, and of one. */
const BUDGET = 20_000;
const GRID = { least: 100, most: 500 };

/** Requests the statistics of the view's groups until the calling scope ends. */
export function useGroupQuestion(): void {
  const jobs = useTrainJobs();
  const facts = useJobFacts();
  const order = useRunOrder();
  const groups = useScalarGroups();
  const selection = useSelection();
  const scalars = useScalars();
  const view = useScalarView();

  onScopeDispose(() => (groups.question = null));

  watch(
    [
      () => order.by,
      () => order.groupedBy,
      () => view.isGrouped,
      () => view.xAxis,
      () => view.zoom,
      () => scalars.smoothing,
      () => selection.visible,
      () => facts.table,
      () => facts.known,
    ],
    () => {
      const { xAxis, zoom } = view;
      // Without the fields' values, everything would be one group.
      if (!view.isGrouped || xAxis === 'value' || (!order.isTogether && !facts.known)) {
        groups.question = null;
        return;
      }
      const visible = selection.visible.flatMap((id) => jobs.byId.get(id) ?? []);
      const named = groupsOf(visible, order.groupNamer(visible));
      const question = {
        groups: named,
        x: xAxis,
        max_points: Math.min(
          GRID.most,
          Math.max(GRID.least, Math.floor(BUDGET / Object.keys(named).length)),
        ),
        ...(zoom && { start: zoom[0], end: zoom[1] }),
        ...(scalars.smoothing !== '' && { smoothing: scalars.smoothing }),
      };
      if (JSON.stringify(question) !== JSON.stringify(groups.question)) groups.question = question;
    },
    { immediate: true },
  );
}
