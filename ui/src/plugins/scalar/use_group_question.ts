import { computed, onScopeDispose, watch } from 'vue';

import { isUnfinished, jobState } from '@/base/job_state';
import { useJobFacts } from '@/store/job_facts';
import { useRunOrder } from '@/store/run_order';
import { useScalarGroups } from '@/store/scalar_groups';
import { useScalars } from '@/store/scalars';
import { useSelection } from '@/store/selection';
import { useStatus } from '@/store/status';
import { useTrainJobs } from '@/store/train_jobs';

import { gridPoints, groupsOf } from './group_lines';
import { useScalarView } from './view_state';

/** Requests the statistics of the view's groups until the calling scope ends. */
export function useGroupQuestion(): void {
  const jobs = useTrainJobs();
  const facts = useJobFacts();
  const order = useRunOrder();
  const groups = useScalarGroups();
  const selection = useSelection();
  const scalars = useScalars();
  const view = useScalarView();
  const status = useStatus();

  onScopeDispose(() => (groups.question = null));

  const unfinished = computed<readonly string[]>((before = []) => {
    const now = selection.visible.filter((id) => {
      const job = jobs.byId.get(id);
      return job && isUnfinished(jobState(job, status.now));
    });
    return now.join('\0') === before.join('\0') ? before : now;
  });

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
      unfinished,
    ],
    () => {
      const { xAxis, zoom } = view;
      // Without the fields' values, everything would be one group.
      if (!view.isGrouped || xAxis === 'value' || (!order.isTogether && !facts.known)) {
        groups.question = null;
        return;
      }
      const visible = selection.visible.flatMap((id) => jobs.byId.get(id) ?? []);
      const named = groupsOf(visible, order.lineNamer(visible));
      const question = {
        groups: named,
        x: xAxis,
        max_points: gridPoints(Object.keys(named).length),
        ...(zoom && { start: zoom[0], end: zoom[1] }),
        ...(scalars.smoothing !== '' && { smoothing: scalars.smoothing }),
        ...(unfinished.value.length > 0 && { unfinished: unfinished.value }),
      };
      if (JSON.stringify(question) !== JSON.stringify(groups.question)) groups.question = question;
    },
    { immediate: true },
  );
}
