import { computed, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';

import type { GroupSeries } from '@/api/scalar_groups';
import { formatWhole } from '@/base/format';
import type { Line } from '@/charts/line';
import { useAnomalies } from '@/store/anomalies';
import { useRunColors } from '@/store/run_colors';
import { useRunNames } from '@/store/run_names';
import { useRunOrder } from '@/store/run_order';
import { useScalarGroups } from '@/store/scalar_groups';

import { groupLine } from './group_lines';
import { useScalarView } from './view_state';

export function useGroupLines(tag: string): {
  lines: ComputedRef<readonly Line[]>;
  groups: ComputedRef<readonly GroupSeries[] | undefined>;
} {
  const { t } = useI18n();
  const anomalies = useAnomalies();
  const names = useRunNames();
  const view = useScalarView();
  const order = useRunOrder();
  const runColors = useRunColors();
  const scalarGroups = useScalarGroups();
  const known = scalarGroups.useTag(tag);

  const groups = computed(known);
  const lines = computed(() =>
    (groups.value ?? []).map((group) => {
      const trainIds = scalarGroups.question?.groups[group.name] ?? [];
      return groupLine(
        group,
        {
          id: group.name,
          label: group.name || t(order.isSingle ? 'scalar.allRuns' : 'scalar.without'),
          color: runColors.colorOfGroup(trainIds),
          // Dash means tag.
          dash: [],
        },
        {
          xAxis: view.xAxis,
          centre: view.centre,
          spread: view.spread,
          countLabel: (n, change, from, to) =>
            [
              t('scalar.runsFromHere', { n: formatWhole(n), all: formatWhole(group.series) }),
              change < 0 ? reason(trainIds, -change, from, to) : '',
            ]
              .filter(Boolean)
              .join(': '),
        },
      );
    }),
  );

  /** Why `n` runs have no values from here on. */
  function reason(trainIds: readonly string[], n: number, from: number, to: number): string {
    const odd =
      view.xAxis === 'step'
        ? trainIds.filter((id) => anomalies.isOddWithin(id, tag, from, to))
        : [];
    return odd.length === n
      ? t('scalar.diverges', { names: odd.map(names.nameOf).join(', ') }, n)
      : t('scalar.ends', { n: formatWhole(n) }, n);
  }

  return { lines, groups };
}
