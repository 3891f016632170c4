import { defineStore } from 'pinia';
import { onScopeDispose, ref, shallowReactive, shallowRef, watch } from 'vue';

import { ApiError } from '@/api/client';
import { fetchGroups, type GroupQuestion, type GroupSeries } from '@/api/scalar_groups';
import { dueOf } from '@/base/due';

import { useLive } from './live';

/** How often groups are asked for anew while their logs grow, in milliseconds. */
const EVERY = 2_000;
/** Other questions wait so long, in milliseconds: mounting a page of charts, and dragging a slider, is one. */
const SOON = 30;
const MOST_TAGS = 40;

/** Statistics of groups of jobs, of the tags of the mounted charts, all in one question. */
export const useScalarGroups = defineStore('scalar_groups', () => {
  const live = useLive();
  const question = shallowRef<GroupQuestion | null>(null);
  const answers = shallowReactive(new Map<string, readonly GroupSeries[]>());
  const problem = ref<string | null>(null);

  const users = shallowReactive(new Map<string, number>());
  /** What each answer is an answer to. */
  const askedOf = new Map<string, string>();
  let busy = false;

  const due = dueOf(() => void ask());

  const keyNow = (): string => JSON.stringify([question.value, live.dataVersion]);

  async function ask(): Promise<void> {
    due.cancel();
    const wanted = question.value;
    if (busy || wanted === null) return;
    const key = keyNow();
    const tags = [...users.keys()].filter((tag) => askedOf.get(tag) !== key).slice(0, MOST_TAGS);
    if (tags.length === 0) return;
    busy = true;
    try {
      const series = await fetchGroups(wanted, tags);
      // A picture of another question is no picture of this one.
      if (question.value === wanted)
        for (const tag of tags)
          answers.set(
            tag,
            series.filter((one) => one.tag === tag),
          );
      problem.value = null;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      problem.value = reason.message;
    } finally {
      busy = false;
      for (const tag of tags) askedOf.set(tag, key);
    }
    void ask();
  }

  watch([question, () => users.size], () => {
    due.after(SOON);
  });
  watch(
    () => live.dataVersion,
    () => {
      due.within(EVERY);
    },
  );

  /** Groups of a tag for as long as the calling scope lives. */
  function useTag(tag: string): () => readonly GroupSeries[] | undefined {
    users.set(tag, (users.get(tag) ?? 0) + 1);
    onScopeDispose(() => {
      const left = (users.get(tag) ?? 1) - 1;
      if (left > 0) users.set(tag, left);
      else users.delete(tag);
    });
    return () => answers.get(tag);
  }

  function retry(): void {
    problem.value = null;
    askedOf.clear();
    void ask();
  }

  return { question, problem, useTag, retry };
});
