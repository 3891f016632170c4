import { computed, onScopeDispose, ref, shallowRef, triggerRef, watch } from 'vue';

import { ApiError, apiMessage } from '@/api/client';
import { useUrlState } from '@/store/url_state';

import { ItemTree, seenOf } from './items';
import type { LayoutAnswer, LayoutQuestion } from './layout_worker';
import { insideOf, sceneOf, type Scene } from './scene';
import type { GraphSource } from './source';

/** Initially scopes are opened while fewer boxes are visible, unless one would add too many. */
const FEW_BOXES = 6;
const MOST_BOXES = 30;

export function useGraph(
  source: () => GraphSource | null,
  state: { open: readonly string[]; readonly apart: boolean },
) {
  const url = useUrlState();
  const tree = shallowRef(new ItemTree());
  const scene = shallowRef<Scene | null>(null);
  const problem = ref<string | null>(null);
  const loading = ref(0);
  const laying = ref(false);
  const requested = new Set<string>();
  const key = computed(() => source()?.key ?? '');

  async function load(scope: string): Promise<void> {
    const [from, into] = [source(), tree.value];
    if (!from || requested.has(scope)) return;
    requested.add(scope);
    loading.value++;
    try {
      const range = into.item(scope)?.range;
      const part = await (range
        ? from.part(range.scope, { first: range.first, last: range.last })
        : from.part(scope, {}));
      if (into !== tree.value) return;
      into.add(scope, part);
      if (scope === '' && state.open.length === 0) await openFirst(into);
      triggerRef(tree);
      problem.value = null;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      requested.delete(scope);
      if (into === tree.value) problem.value = reason.message;
    } finally {
      loading.value--;
    }
  }

  /** Open scopes until there is more to see than a box or two. */
  async function openFirst(of: ItemTree): Promise<void> {
    const open: string[] = [];
    for (;;) {
      const closed = seenOf(of, new Set(open)).items.filter((one) => !one.open);
      const next =
        closed.length < FEW_BOXES
          ? closed.find(
              ({ item }) =>
                item.kind === 'scope' &&
                (closed.length === 1 || closed.length - 1 + item.count <= MOST_BOXES),
            )?.item
          : undefined;
      if (!next) break;
      await load(next.name);
      if (of.level(next.name) === undefined || of !== tree.value) break;
      open.push(next.name);
    }
    // The user may have opened something meanwhile.
    if (of !== tree.value || state.open.length > 0) return;
    url.amend();
    state.open = open;
  }

  function follow(): void {
    void load('');
    for (const name of state.open) {
      const item = tree.value.item(name);
      if (item && item.count > 0 && tree.value.level(name) === undefined) void load(name);
    }
  }

  watch(
    key,
    () => {
      tree.value = new ItemTree();
      scene.value = null;
      problem.value = null;
      requested.clear();
      follow();
    },
    { immediate: true },
  );
  watch([() => state.open, tree], follow);

  const seen = computed(() => seenOf(tree.value, new Set(state.open)));

  const worker = new Worker(new URL('./layout_worker.ts', import.meta.url), { type: 'module' });
  onScopeDispose(() => {
    worker.terminate();
    // Requests of this graph may still be answered: they must not open scopes in the next one.
    tree.value = new ItemTree();
  });
  let turn = 0;
  let pending = seen.value;
  worker.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => {
    if (data.turn !== turn) return;
    scene.value = sceneOf(pending, data.placed);
    laying.value = false;
  };
  watch(
    [seen, () => state.apart],
    () => {
      if (tree.value.level('') === undefined) return;
      pending = seen.value;
      laying.value = true;
      worker.postMessage({
        turn: ++turn,
        root: insideOf(pending, state.apart),
      } satisfies LayoutQuestion);
    },
    { immediate: true },
  );

  function toggle(name: string): void {
    const closed = state.open.filter((other) => other !== name);
    state.open = closed.length === state.open.length ? [...closed, name] : closed;
  }

  async function reveal(name: string): Promise<void> {
    const of = tree.value;
    const searched = new Set<string>();
    for (let at = ''; ;) {
      await load(at);
      await settled();
      if (of !== tree.value) return;
      const located = of.locate(name) ?? '';
      const path = located === '' ? [] : of.pathTo(located);
      const around = path.slice(0, -1);
      const inner = located === '' || (located !== name && (of.item(located)?.count ?? 0) > 0);
      const closed = (inner && located !== '' ? path : around).filter(
        (step) => !state.open.includes(step),
      );
      if (closed.length > 0) state.open = [...state.open, ...closed];
      if (!inner) return;
      if (located === '' || of.level(located) !== undefined) {
        if (searched.has(located) || !of.bundled(located)) return;
        searched.add(located);
        if (!(await look(located, name))) return;
      }
      at = located;
    }
  }

  /** Request the place of a node in a large scope. */
  async function look(scope: string, name: string): Promise<boolean> {
    const [from, into] = [source(), tree.value];
    if (!from) return false;
    try {
      into.learn(await from.part(scope, { first: 1, last: 1, find: name }));
      return into === tree.value;
    } catch (reason) {
      problem.value = apiMessage(reason);
      return false;
    }
  }

  function settled(): Promise<void> {
    if (loading.value === 0) return Promise.resolve();
    return new Promise((done) => {
      const stop = watch(loading, (count) => {
        if (count > 0) return;
        stop();
        done();
      });
    });
  }

  function retry(): void {
    problem.value = null;
    follow();
  }

  return {
    tree,
    seen,
    scene,
    problem,
    retry,
    toggle,
    reveal,
    busy: computed(() => loading.value > 0 || laying.value),
  };
}

export type GraphView = ReturnType<typeof useGraph>;
