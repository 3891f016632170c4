import { onScopeDispose, watch } from 'vue';

import { useJobFacts } from '@/store/job_facts';
import { useJobFields } from '@/store/job_fields';
import { useScalarGroups } from '@/store/scalar_groups';
import { useScalars } from '@/store/scalars';
import { useSelection } from '@/store/selection';
import { useTrainJobs } from '@/store/train_jobs';

import { fieldLeftOut, groupsOf, settingsBut } from './group_lines';
import { useScalarView } from './view_state';

/** Grid points of all groups of a chart, and of one. */
const BUDGET = 40_000;
const GRID = { least: 100, most: 500 };

/** Requests the statistics of the view's groups until the calling scope ends. */
export function useGroupQuestion(): void {
  const jobs = useTrainJobs();
  const facts = useJobFacts();
  const fields = useJobFields();
  const groups = useScalarGroups();
  const selection = useSelection();
  const scalars = useScalars();
  const view = useScalarView();

  onScopeDispose(() => (groups.question = null));

  watch(
    [
      () => view.group,
      () => view.isGrouped,
      () => view.xAxis,
      () => view.zoom,
      () => scalars.smoothing,
      () => selection.selected,
      () => facts.table,
      () => facts.known,
    ],
    () => {
      const { group, xAxis, zoom } = view;
      // Without the fields' values, everything would be one group.
      if (!view.isGrouped || xAxis === 'value' || (group !== '*' && !facts.known)) {
        groups.question = null;
        return;
      }
      const selected = selection.selected.flatMap((id) => jobs.byId.get(id) ?? []);
      const named = groupsOf(selected, nameGetter(group));
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

  function nameGetter(group: string) {
    if (group === '*') return null;
    const leftOut = fieldLeftOut(group);
    if (leftOut === null) return fields.getter(group);
    const selected = selection.selected.flatMap((id) => jobs.byId.get(id) ?? []);
    return settingsBut(fields.resolve(leftOut), facts.names, selected, fields.getter, fields.short);
  }
}
