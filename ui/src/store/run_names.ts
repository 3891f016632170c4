import { defineStore } from 'pinia';
import { computed, watch } from 'vue';

import { shortNames } from '@/base/run_names';
import { tellingParts } from '@/base/telling_parts';
import { telling } from '@/texts/telling';

import { jobName } from './job_name';
import { useSelection } from './selection';

/** How runs are named on the page: without what all listed names share, which match or are drawn. */
export const useRunNames = defineStore('run_names', () => {
  const selection = useSelection();

  /** Equal lists keep their identity: names are compared only when runs come or go. */
  const listed = computed<readonly string[]>((before) => {
    const matching = selection.matching.map((job) => job.train_id);
    const now = [...new Set([...matching, ...selection.present])];
    return before?.length === now.length && now.every((id, i) => id === before[i]) ? before : now;
  });

  const names = computed(() => shortNames(listed.value.map(jobName)));
  const heading = computed(() => names.value.heading);
  /** By train_id; runs that are not listed are missing. */
  const short = computed<ReadonlyMap<string, string>>(
    () =>
      new Map(listed.value.map((id) => [id, names.value.short.get(jobName(id)) ?? jobName(id)])),
  );

  watch(
    short,
    (names) => {
      telling.value = tellingParts([...names.values()]);
    },
    { immediate: true },
  );

  const nameOf = (trainId: string): string => short.value.get(trainId) ?? jobName(trainId);

  return { heading, short, nameOf };
});
