import { computed, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';

import { formatWhole } from '@/base/format';
import { useSnapshot } from '@/store/snapshot';

interface Counts {
  readonly kept: number;
  readonly all: number;
}

const shown = ({ kept, all }: Counts) => ({ kept: formatWhole(kept), all: formatWhole(all) });

/** What a snapshot contains and leaves out, as short statements. */
export function useSnapshotWords(): { parts: ComputedRef<readonly string[]> } {
  const { t } = useI18n();
  const snapshot = useSnapshot();
  const parts = computed(() => {
    const facts = snapshot.facts;
    if (!facts) return [];
    const { runs, series, left_out, out_of_time } = facts;
    return [
      t('snapshot.runs', shown(runs), runs.all),
      t('snapshot.series', shown(series)),
      series.most_points === null
        ? t('snapshot.exact')
        : t('snapshot.reduced', {
            n: formatWhole(series.reduced),
            points: formatWhole(series.most_points),
          }),
      ...(left_out > 0 ? [t('snapshot.leftOut', { n: formatWhole(left_out) }, left_out)] : []),
      ...(out_of_time ? [t('snapshot.outOfTime')] : []),
    ];
  });
  return { parts };
}
