import { defineStore } from 'pinia';
import { onScopeDispose, ref } from 'vue';

import { useUrlState } from './url_state';

/** The card in full screen; `full` in the URL of every page with cards. */
export const useFullCard = defineStore('full_card', () => {
  const name = ref<string | null>(null);

  /** Sync with the URL until the calling scope ends. */
  function follow(): void {
    useUrlState().follow({
      write: () => ({ full: name.value ?? undefined }),
      read: (query) => (name.value = query['full'] ?? null),
      step: () => name.value,
    });
    onScopeDispose(() => (name.value = null));
  }

  return { name, follow };
});
