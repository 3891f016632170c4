import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';

import type { OpenSnapshot } from '@/api/snapshot/open_snapshot';

/** Null: the page shows a server's data. */
export const useSnapshot = defineStore('snapshot', () => {
  const opened = shallowRef<OpenSnapshot | null>(null);
  const facts = computed(() => opened.value?.facts ?? null);
  return { opened, facts };
});
