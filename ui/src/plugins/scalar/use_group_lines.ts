import { computed, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';

import type { GroupSeries } from '@/api/scalar_groups';
import { assignStyles, styleColor } from '@/base/job_colors';
import type { Line } from '@/charts/line';
import { usePreferences } from '@/store/preferences';
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
  const preferences = usePreferences();
  const runColors = useRunColors();
  const scalarGroups = useScalarGroups();
  const known = scalarGroups.useTag(tag);

  const groups = computed(known);
  const styles = computed(() => assignStyles((groups.value ?? []).map(({ name }) => name)));
  const lines = computed(() =>
    (groups.value ?? []).map((group) => {
      const style = styles.value.get(group.name) ?? 0;
      return groupLine(
        group,
        {
          id: group.name,
          label: group.name || t(order.isSingle ? 'scalar.allRuns' : 'scalar.without'),
          color:
            runColors.colorOfGroup(scalarGroups.question?.groups[group.name] ?? []) ??
            styleColor(style, preferences.theme),
          // Dash means tag.
          dash: [],
        },
        view,
      );
    }),
  );
  return { lines, groups };
}
