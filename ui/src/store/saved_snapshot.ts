import { defineStore } from 'pinia';
import { computed, ref } from 'vue';

import { ApiError } from '@/api/client';
import { fetchSnapshot } from '@/api/snapshots';
import { dueOf } from '@/base/due';

import { useShareLink } from './share_link';
import { snapshotProblem, type SnapshotProblem } from './snapshot_problem';
import { useStatus } from './status';
import { useTrainJobs } from './train_jobs';

/** Milliseconds that an error is shown. */
const SHOWN = 10_000;

/** Downloads the current view as one HTML file. */
export const useSavedSnapshot = defineStore('saved_snapshot', () => {
  const here = useShareLink();
  const status = useStatus();
  const jobs = useTrainJobs();
  const saving = ref(false);
  const problem = ref<SnapshotProblem | null>(null);
  /** Without runs, the file would hold nothing but the page. */
  const isEmpty = computed(() => jobs.known && jobs.total === 0);
  const forgotten = dueOf(() => (problem.value = null));

  async function save(): Promise<void> {
    if (saving.value || isEmpty.value) return;
    saving.value = true;
    problem.value = null;
    try {
      const bytes = await fetchSnapshot(here());
      // With the charts, which the page does not load first.
      const { saveFile } = await import('@/charts/saved_file');
      const name = (status.status?.name ?? 'mindviz').replace(/[^\w.-]+/g, '-');
      saveFile(`${name}-snapshot.html`, '', new Blob([bytes], { type: 'text/html' }));
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      problem.value = snapshotProblem(reason);
      forgotten.after(SHOWN);
    } finally {
      saving.value = false;
    }
  }

  return { saving, problem, isEmpty, save };
});
