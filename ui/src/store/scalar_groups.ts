import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, shallowReactive, shallowRef, watch } from 'vue';

import { apiMessage } from '@/api/client';
import { fetchGroups, type GroupQuestion, type GroupSeries } from '@/api/scalar_groups';
import { countUse } from '@/base/counted';
import { dueOf } from '@/base/due';

import { useLive } from './live';

const EVERY = 2_000;
/** Milliseconds to collect changes: of mounting many charts, or of dragging a slider. */
const SOON = 30;
/** Runs x tags of one request: the first charts must not wait for all others. */
const MOST_SERIES = 1_000;
/** Requests at once: the server computes a chart while the page draws another. */
const MOST_REQUESTS = 2;
/** Tags requested before their charts are mounted: about as many as fit on a screen. */
const FIRST_TAGS = 4;

const runsOf = ({ groups }: GroupQuestion): number =>
  Math.max(
    1,
    Object.values(groups).reduce((sum, ids) => sum + ids.length, 0),
  );

export const useScalarGroups = defineStore('scalar_groups', () => {
  const live = useLive();
  const question = shallowRef<GroupQuestion | null>(null);
  const answers = shallowReactive(new Map<string, readonly GroupSeries[]>());
  /** The question that a tag's answer belongs to, as JSON. */
  const answeredOf = shallowReactive(new Map<string, string>());
  const problem = ref<string | null>(null);

  const users = shallowReactive(new Map<string, number>());
  /** The question and version that a tag was last requested with. */
  const requestKeys = new Map<string, string>();
  let running = 0;

  const due = dueOf(askMounted);

  function askMounted(): void {
    ask([...users.keys()], MOST_REQUESTS);
  }

  /** Request the first of these tags while the page is being mounted. */
  function begin(tags: readonly string[]): void {
    ask(tags.slice(0, FIRST_TAGS), FIRST_TAGS);
  }

  const asJson = computed(() => JSON.stringify(question.value));
  const keyNow = (): string => `${live.dataVersion} ${asJson.value}`;

  function ask(wanted: readonly string[], most: number): void {
    due.cancel();
    const current = question.value;
    if (current === null) return;
    const key = keyNow();
    const tags = wanted.filter((tag) => requestKeys.get(tag) !== key);
    const size = Math.max(1, Math.floor(MOST_SERIES / runsOf(current)));
    for (let first = 0; first < tags.length && running < most; first += size)
      void request(current, tags.slice(first, first + size), key);
  }

  async function request(
    current: GroupQuestion,
    tags: readonly string[],
    key: string,
  ): Promise<void> {
    const json = asJson.value;
    for (const tag of tags) requestKeys.set(tag, key);
    running++;
    try {
      const series = await fetchGroups(current, tags);
      // The tag may have been requested again since.
      const latest = tags.filter((tag) => requestKeys.get(tag) === key);
      for (const tag of asJson.value === json ? latest : []) {
        answers.set(
          tag,
          series.filter((one) => one.tag === tag),
        );
        answeredOf.set(tag, json);
      }
      problem.value = null;
    } catch (reason) {
      problem.value = apiMessage(reason);
    } finally {
      running--;
    }
    askMounted();
  }

  // The first answer is waited for.
  watch([question, () => users.size], () => due.after(answers.size === 0 ? 0 : SOON));
  watch(
    () => live.dataVersion,
    () => due.within(EVERY),
  );

  function useTag(tag: string): () => readonly GroupSeries[] | undefined {
    onScopeDispose(countUse(users, tag));
    return () => answers.get(tag);
  }

  const isStale = (tag: string): boolean =>
    problem.value === null && answeredOf.get(tag) !== asJson.value;

  function retry(): void {
    problem.value = null;
    requestKeys.clear();
    askMounted();
  }

  return { question, problem, useTag, isStale, begin, retry };
});
