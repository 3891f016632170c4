import { defineStore } from 'pinia';
import { onScopeDispose, ref } from 'vue';

import { useUrlState } from './url_state';

/** Which card has the whole screen: `full` in links, on every page that has cards. */
export const useFullCard = defineStore('full_card', () => {
  /** What the card is called in links; null: none. */
  const name = ref<string | null>(null);

  /** Keep it in the URL for as long as the calling scope lives: a page. */
  function follow(): void {
    useUrlState().follow({
      write: () => ({ full: name.value ?? undefined }),
      read: (query) => {
        name.value = query['full'] ?? null;
      },
      step: () => name.value,
    });
    onScopeDispose(() => {
      name.value = null;
    });
  }

  return { name, follow };
});
