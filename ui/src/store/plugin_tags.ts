import { computed, type ComputedRef } from 'vue';

import { addTo } from '@/base/grouped';
import { naturalOrder } from '@/base/natural_order';

import { useSelection } from './selection';
import { useTrainJobs } from './train_jobs';

export interface TaggedJobs {
  readonly pluginName: string;
  readonly tag: string;
  readonly trainIds: readonly string[];
}

export function usePluginTags(pluginNames: readonly string[]): ComputedRef<readonly TaggedJobs[]> {
  const jobs = useTrainJobs();
  const selection = useSelection();
  return computed(() =>
    pluginNames.flatMap((pluginName) => {
      const jobsOf = new Map<string, string[]>();
      for (const id of selection.visible) {
        for (const tag of jobs.byId.get(id)?.plugins[pluginName] ?? []) {
          addTo(jobsOf, tag, id);
        }
      }
      return [...jobsOf]
        .map(([tag, trainIds]) => ({ pluginName, tag, trainIds }))
        .sort((a, b) => naturalOrder(a.tag, b.tag));
    }),
  );
}
