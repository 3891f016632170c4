import { defineStore } from 'pinia';
import { onScopeDispose, ref, shallowReactive, shallowRef, watch } from 'vue';

import { apiMessage } from '@/api/client';
import { fetchGroups, type GroupQuestion, type GroupSeries } from '@/api/scalar_groups';
import { countUse } from '@/base/counted';
import { dueOf } from '@/base/due';

import { useLive } from './live';

const EVERY = 2_000;
/** Milliseconds to collect changes: of mounting many charts, or of dragging a slider. */
const SOON = 30;
/** Runs x tags of one request: the first charts must not wait for all others. */
const MOST_SERIES = 4_000;

const runsOf = ({ groups }: GroupQuestion): number =>
  Math.max(
    1,
    Object.values(groups).reduce((sum, ids) => sum + ids.length, 0),
  );

export const useScalarGroups = defineStore('scalar_groups', () => {
  const live = useLive();
  const question = shallowRef<GroupQuestion | null>(null);
  const answers = shallowReactive(new Map<string, readonly GroupSeries[]>());
  /** The question that a tag's answer belongs to. */
  const answeredOf = shallowReactive(new Map<string, GroupQuestion>());
  const problem = ref<string | null>(null);

  const users = shallowReactive(new Map<string, number>());
  const requestKeys = new Map<string, string>();
  let busy = false;

  const due = dueOf(() => void ask());

  const keyNow = (): string => JSON.stringify([question.value, live.dataVersion]);

  async function ask(): Promise<void> {
    due.cancel();
    const current = question.value;
    if (busy || current === null) return;
    const key = keyNow();
    const tags = [...users.keys()]
      .filter((tag) => requestKeys.get(tag) !== key)
      .slice(0, Math.max(1, Math.floor(MOST_SERIES / runsOf(current))));
    if (tags.length === 0) return;
    busy = true;
    try {
      const series = await fetchGroups(current, tags);
      if (question.value === current)
        for (const tag of tags) {
          answers.set(
            tag,
            series.filter((one) => one.tag === tag),
          );
          answeredOf.set(tag, current);
        }
      problem.value = null;
    } catch (reason) {
      problem.value = apiMessage(reason);
    } finally {
      busy = false;
      for (const tag of tags) requestKeys.set(tag, key);
    }
    void ask();
  }

  watch([question, () => users.size], () => due.after(SOON));
  watch(
    () => live.dataVersion,
    () => due.within(EVERY),
  );

  function useTag(tag: string): () => readonly GroupSeries[] | undefined {
    onScopeDispose(countUse(users, tag));
    return () => answers.get(tag);
  }

  const isStale = (tag: string): boolean =>
    problem.value === null && answeredOf.get(tag) !== question.value;

  function retry(): void {
    problem.value = null;
    requestKeys.clear();
    void ask();
  }

  return { question, problem, useTag, isStale, retry };
});
