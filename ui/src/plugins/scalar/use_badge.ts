import { computed, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';

import { formatCount, formatWhole } from '@/base/format';
import { isDense } from '@/charts/density';
import type { Line } from '@/charts/line';
import { useAnomalies } from '@/store/anomalies';

import type { Drawn } from './badge';
import { useScalarView } from './view_state';

/** What a chart reduces: points, or lines to a density. Groups are complete. */
export function useBadge(
  drawn: ComputedRef<Drawn>,
  lines: ComputedRef<readonly Line[]>,
  grouped: ComputedRef<boolean>,
  tags: () => readonly string[],
): { badge: ComputedRef<string>; badgeTitle: ComputedRef<string> } {
  const { t } = useI18n();
  const view = useScalarView();
  const anomalies = useAnomalies();
  const unmarked = computed(() =>
    tags().reduce((sum, tag) => sum + (anomalies.unmarked.get(tag) ?? 0), 0),
  );
  const joined = (parts: readonly string[], by: string): string => parts.filter(Boolean).join(by);

  const badge = computed(() => {
    const count = lines.value.length;
    const dense = isDense(lines.value);
    if (grouped.value) return dense ? t('scalar.density', { n: formatWhole(count) }) : '';
    const { drawn: points, total, withoutX, held, reduced } = drawn.value;
    const counts = { n: formatWhole(held), all: formatWhole(reduced) };
    return joined(
      [
        reduced > 0 ? t('snapshot.points', counts) : '',
        dense ? t('scalar.density', { n: formatWhole(count) }) : '',
        total > points && points > 0 && !dense && reduced === 0 ? t('scalar.reduced') : '',
        withoutX > 0 ? t('scalar.withoutX', { n: formatCount(withoutX) }, withoutX) : '',
        unmarked.value > 0
          ? t('scalar.unmarked', { n: formatCount(unmarked.value) }, unmarked.value)
          : '',
      ],
      ' · ',
    );
  });

  const badgeTitle = computed(() => {
    const dense = isDense(lines.value) ? t('scalar.densityTitle') : '';
    if (grouped.value) return dense;
    const { drawn: points, total, withoutX, held, reduced } = drawn.value;
    const kept = { n: formatWhole(held), all: formatWhole(reduced) };
    const counts = { drawn: formatWhole(points), n: formatWhole(total) };
    return joined(
      [
        dense,
        reduced > 0
          ? t('snapshot.pointsTitle', kept)
          : total > points
            ? t('scalar.badge', counts)
            : '',
        withoutX > 0 ? t('scalar.withoutXTitle', { n: formatWhole(withoutX), tag: view.xTag }) : '',
      ],
      ' ',
    );
  });
  return { badge, badgeTitle };
}
