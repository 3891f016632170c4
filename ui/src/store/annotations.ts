import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import { ApiError } from '@/api/client';
import { annotate, searchLineages, type Annotation } from '@/api/lineage';

import { useSnapshot } from './snapshot';

const MOST_REQUESTS = 4;

const NOTED = {
  or: [
    { hidden: { eq: true } },
    { pinned: { eq: true } },
    { tag: { ge: 1 } },
    ...['colour', 'remark', 'notes', 'group'].map((name) => ({ [name]: { regex: '.' } })),
  ],
  lineage_type: { in: ['model'] },
};

const NOTHING: Annotation = {};

export const useAnnotations = defineStore('annotations', () => {
  const snapshot = useSnapshot();
  /** False in a snapshot, which has no server that saves them. */
  const canChange = computed(() => snapshot.facts === null);
  const byId = shallowRef<ReadonlyMap<string, Annotation>>(new Map());
  /** Why annotations cannot be read or saved, or null. */
  const problem = ref<string | null>(null);
  /** Number of changes that the server has saved. */
  const saved = ref(0);

  const of = (trainId: string): Annotation => byId.value.get(trainId) ?? NOTHING;

  async function refresh(): Promise<void> {
    try {
      const answer = await searchLineages(NOTED);
      // An empty answer again must not update all tables.
      if (answer.object.length + byId.value.size > 0)
        byId.value = new Map(answer.object.map((row) => [row.summary_dir, row.added_info]));
      problem.value = answer.annotations_unavailable ?? null;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      if (!reason.unreachable) problem.value = reason.message;
    }
  }

  /** Annotate these jobs, if possible. Shown at once, reverted if the server refuses. */
  async function note(trainIds: readonly string[], changes: Annotation): Promise<void> {
    if (!canChange.value) return;
    const next = new Map(byId.value);
    for (const id of trainIds) next.set(id, { ...next.get(id), ...changes });
    byId.value = next;
    problem.value = null;
    const waiting = [...trainIds];
    const work = async (): Promise<void> => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
        await annotate(id, changes);
    };
    try {
      await Promise.all(Array.from({ length: MOST_REQUESTS }, work));
      saved.value++;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      await refresh();
      problem.value = reason.message;
    }
  }

  return { byId, canChange, problem, saved, of, refresh, note };
});
