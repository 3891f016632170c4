import { defineStore } from 'pinia';
import { ref } from 'vue';

import { apiMessage } from '@/api/client';
import { fetchSnapshot } from '@/api/snapshots';
import { dueOf } from '@/base/due';

import { useShareLink } from './share_link';
import { useStatus } from './status';

/** Milliseconds that an error is shown. */
const SHOWN = 10_000;

/** Downloads the current view as one HTML file. */
export const useSavedSnapshot = defineStore('saved_snapshot', () => {
  const here = useShareLink();
  const status = useStatus();
  const saving = ref(false);
  const problem = ref<string | null>(null);
  const forgotten = dueOf(() => (problem.value = null));

  async function save(): Promise<void> {
    if (saving.value) return;
    saving.value = true;
    problem.value = null;
    try {
      const bytes = await fetchSnapshot(here());
      // With the charts, which the page does not load first.
      const { saveFile } = await import('@/charts/saved_file');
      const name = (status.status?.name ?? 'mindviz').replace(/[^\w.-]+/g, '-');
      saveFile(`${name}-snapshot.html`, '', new Blob([bytes], { type: 'text/html' }));
    } catch (reason) {
      problem.value = apiMessage(reason);
      forgotten.after(SHOWN);
    } finally {
      saving.value = false;
    }
  }

  return { saving, problem, save };
});
