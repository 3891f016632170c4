import { computed, ref, shallowRef, watch } from 'vue';

import { ApiError } from '@/api/client';
import { fetchGraphTags, fetchNodes, type GraphNode, type GraphTag } from '@/api/graphs';

import { sceneOf, type RankLayout } from './layout';
import { rankLayout } from './rank_layout';

/** The scopes of a graph that have been opened, and how they lie. */
export function useGraph(trainId: () => string | undefined, tagWanted: () => string, open: () => readonly string[]) {
  const tags = shallowRef<readonly GraphTag[]>([]);
  const scopes = shallowRef<ReadonlyMap<string, readonly GraphNode[]>>(new Map());
  const problem = ref<string | null>(null);
  const ranked = shallowRef<RankLayout | null>(null);
  void rankLayout().then((layout) => (ranked.value = layout));

  const tag = computed(() => tags.value.find((one) => one.tag === tagWanted()) ?? tags.value[0]);
  /** Of answers only those to the question asked last count. */
  let asked = 0;

  async function guarded(ask: () => Promise<void>): Promise<void> {
    const number = asked;
    try {
      await ask();
      if (number === asked) problem.value = null;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      if (number === asked) problem.value = reason.message;
    }
  }

  async function load(): Promise<void> {
    const id = trainId();
    const known = tag.value;
    if (id === undefined || !known) return;
    const number = asked;
    const missing = ['', ...open()].filter((name) => !scopes.value.has(name));
    if (missing.length === 0) return;
    const found = await Promise.all(
      missing.map(async (name): Promise<[string, readonly GraphNode[]]> => {
        try {
          return [name, await fetchNodes(id, known.tag, name)];
        } catch (reason) {
          // A scope in an old link may be gone; the outermost never is.
          if (name !== '' && reason instanceof ApiError && !reason.unreachable) return [name, []];
          throw reason;
        }
      }),
    );
    if (number === asked) scopes.value = new Map([...scopes.value, ...found]);
  }

  watch(
    trainId,
    (id) => {
      asked++;
      tags.value = [];
      scopes.value = new Map();
      if (id === undefined) return;
      const number = asked;
      void guarded(async () => {
        const found = await fetchGraphTags(id);
        if (number === asked) tags.value = found;
      });
    },
    { immediate: true },
  );
  watch(tag, () => {
    asked++;
    scopes.value = new Map();
    void guarded(load);
  });
  watch(open, () => void guarded(load));

  const scene = computed(() => (ranked.value && scopes.value.has('') ? sceneOf(scopes.value, new Set(open()), ranked.value) : null));
  const byName = computed(() => new Map([...scopes.value.values()].flat().map((node) => [node.name, node])));

  return { tags, tag, scene, byName, problem, retry: () => void guarded(load) };
}
