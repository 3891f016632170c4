import { computed, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';

import type { GroupSeries } from '@/api/scalar_groups';
import type { Line } from '@/charts/line';
import { useRunColors } from '@/store/run_colors';
import { useRunOrder } from '@/store/run_order';
import { useScalarGroups } from '@/store/scalar_groups';

import { groupLine } from './group_lines';
import { useScalarView } from './view_state';

export function useGroupLines(tag: string): {
  lines: ComputedRef<readonly Line[]>;
  groups: ComputedRef<readonly GroupSeries[] | undefined>;
} {
  const { t } = useI18n();
  const view = useScalarView();
  const order = useRunOrder();
  const runColors = useRunColors();
  const scalarGroups = useScalarGroups();
  const known = scalarGroups.useTag(tag);

  const groups = computed(known);
  const lines = computed(() =>
    (groups.value ?? []).map((group) => {
      return groupLine(
        group,
        {
          id: group.name,
          label: group.name || t(order.isSingle ? 'scalar.allRuns' : 'scalar.without'),
          color: runColors.colorOfGroup(scalarGroups.question?.groups[group.name] ?? []),
          // Dash means tag.
          dash: [],
        },
        view,
      );
    }),
  );
  return { lines, groups };
}
