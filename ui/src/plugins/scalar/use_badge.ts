import { computed, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';

import type { GroupSeries } from '@/api/scalar_groups';
import { formatCount, formatWhole } from '@/base/format';
import { isDense } from '@/charts/density';
import type { Line } from '@/charts/line';

import type { Drawn } from './badge';
import { useScalarView } from './view_state';

/** What a chart reduces: points, runs to groups, or lines to a density. `groups`: null without. */
export function useBadge(
  drawn: ComputedRef<Drawn>,
  lines: ComputedRef<readonly Line[]>,
  groups: ComputedRef<readonly GroupSeries[] | null>,
): { badge: ComputedRef<string>; badgeTitle: ComputedRef<string> } {
  const { t } = useI18n();
  const view = useScalarView();
  const joined = (parts: readonly string[], by: string): string => parts.filter(Boolean).join(by);

  const badge = computed(() => {
    const count = lines.value.length;
    const dense = isDense(lines.value);
    if (groups.value !== null) {
      const runs = groups.value.reduce((sum, { series }) => sum + series, 0);
      const numbers = { n: formatWhole(count), runs: formatWhole(runs) };
      return count === 0 ? '' : t('scalar.groups', numbers, count);
    }
    const { drawn: points, total, withoutX } = drawn.value;
    return joined(
      [
        dense ? t('scalar.density', { n: formatWhole(count) }) : '',
        total > points && points > 0 && !dense ? t('scalar.reduced') : '',
        withoutX > 0 ? t('scalar.withoutX', { n: formatCount(withoutX) }, withoutX) : '',
      ],
      ' · ',
    );
  });

  const badgeTitle = computed(() => {
    const dense = isDense(lines.value) ? t('scalar.densityTitle') : '';
    if (groups.value !== null) return joined([t('scalar.groupsTitle'), dense], ' ');
    const { drawn: points, total, withoutX } = drawn.value;
    const counts = { drawn: formatWhole(points), n: formatWhole(total) };
    return joined(
      [
        dense,
        total > points ? t('scalar.badge', counts) : '',
        withoutX > 0 ? t('scalar.withoutXTitle', { n: formatWhole(withoutX), tag: view.xTag }) : '',
      ],
      ' ',
    );
  });
  return { badge, badgeTitle };
}
