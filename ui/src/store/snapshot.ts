import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

import type { SnapshotFacts } from '@/api/snapshot/snapshot_file';

/** Null: the page shows a server's data. */
export const useSnapshot = defineStore('snapshot', () => ({
  facts: shallowRef<SnapshotFacts | null>(null),
}));
