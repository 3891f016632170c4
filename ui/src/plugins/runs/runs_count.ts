import { computed, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';

import { formatWhole } from '@/base/format';
import { useRunWindow } from '@/store/run_window';
import { useTrainJobs } from '@/store/train_jobs';

import type { RunsTable } from './use_runs_table';

/** How many runs the table lists, in words. */
export function useRunsCount(table: RunsTable): ComputedRef<string> {
  const { t } = useI18n();
  const jobs = useTrainJobs();
  const window = useRunWindow();

  return computed(() => {
    if (!jobs.known) return t('runs.loading');
    if (window.isOn && !window.isListed) return t('card.loading');
    const [shown, matching, n] = [table.rows.value.length, table.count.value, table.total.value];
    if (!window.isOn || table.isGrouped.value || shown >= matching)
      return t('runs.count', { shown: formatWhole(matching), n: formatWhole(n) });
    const values = { shown: formatWhole(shown), of: formatWhole(matching), n: formatWhole(n) };
    return t(matching < n ? 'runs.windowOf' : 'runs.window', values);
  });
}
