import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';

import type { TrainJob } from '@/api/train_jobs';
import { assignStyles, styleColor, styleDash } from '@/base/job_colors';
import {
  conditionOf,
  fieldsOf,
  isQuery,
  lastName,
  matcherOf,
  QueryError,
  type Condition,
} from '@/base/job_query';
import { parsePattern } from '@/base/pattern';
import { jobName } from '@/store/job_name';

import { useAnnotations } from './annotations';
import { useJobFacts } from './job_facts';
import { useJobFields } from './job_fields';
import { keepStyles, keptStyles } from './kept_styles';
import { usePreferences } from './preferences';
import { useTrainJobs } from './train_jobs';

export type Choice =
  | { readonly kind: 'newest' }
  | { readonly kind: 'matching' }
  | { readonly kind: 'list'; readonly trainIds: readonly string[] };

const NEWEST = 10;

/** With more jobs, only the first are drawn. */
export const MOST_DRAWN = 1_000;

/** The selected jobs and their colors, shared by all pages. */
export const useSelection = defineStore('selection', () => {
  const jobs = useTrainJobs();
  const facts = useJobFacts();
  const fields = useJobFields();
  const annotations = useAnnotations();
  const preferences = usePreferences();

  const filter = ref('');
  const choice = shallowRef<Choice>({ kind: 'newest' });

  const showHidden = ref(false);

  const question = computed<{
    readonly condition: Condition | null;
    readonly error: QueryError | null;
  }>(() => {
    try {
      return { condition: conditionOf(filter.value), error: null };
    } catch (error) {
      if (error instanceof QueryError) return { condition: null, error };
      throw error;
    }
  });

  const namesOf = (job: TrainJob): readonly string[] => [jobName(job.train_id), job.display_name];

  /** A word that may become a condition or "and" while typing, and matches no job. */
  const begun = computed(() => {
    const { condition, error } = question.value;
    const word = error ? null : lastName(filter.value);
    if (!condition || word === null) return null;
    const typed = word.text.toLowerCase();
    if (
      !fields.begins(typed) &&
      !(word.from > 0 && ['and', 'or'].some((joint) => joint.startsWith(typed)))
    )
      return null;
    const { matches } = parsePattern(isQuery(filter.value) ? word.text : filter.value);
    return jobs.newestCreatedFirst.some((job) => namesOf(job).some(matches)) ? null : word.text;
  });

  /** The last complete condition: an incomplete filter does not change the list. */
  const condition = computed<Condition | null>((before) =>
    question.value.error !== null || begun.value !== null
      ? (before ?? null)
      : question.value.condition,
  );

  const literal = computed(() => !isQuery(filter.value) && parsePattern(filter.value).literal);

  const queriedFields = computed(() => (condition.value ? fieldsOf(condition.value) : []));
  const unknownField = computed(
    () => queriedFields.value.find((field) => !fields.isKnown(field)) ?? null,
  );
  facts.use(() =>
    queriedFields.value.length > 0 ? fields.scalarColumns(queriedFields.value) : null,
  );

  const matcher = (): ((job: TrainJob) => boolean) | null =>
    condition.value ? matcherOf(condition.value, fields.getter, namesOf) : null;

  const isHidden = (job: TrainJob): boolean => annotations.byId.get(job.train_id)?.hidden === true;

  const matching = computed(() => {
    const matches = matcher();
    const hidden = showHidden.value || queriedFields.value.includes('hidden');
    if (matches === null && (hidden || annotations.byId.size === 0)) return jobs.newestCreatedFirst;
    return jobs.newestCreatedFirst.filter(
      (job) => (hidden || !isHidden(job)) && (matches?.(job) ?? true),
    );
  });

  const selected = computed<readonly string[]>((before) => {
    const now = selectedNow();
    // Equal lists keep their identity, so that dependents don't update.
    return before?.length === now.length && now.every((id, i) => id === before[i]) ? before : now;
  });

  function selectedNow(): readonly string[] {
    const wanted = choice.value;
    const idsOf = (of: readonly TrainJob[]): string[] => of.map((job) => job.train_id);
    if (wanted.kind === 'matching') return idsOf(matching.value);
    const ids = new Set(
      wanted.kind === 'list'
        ? wanted.trainIds
        : idsOf(jobs.lastUpdatedFirst.filter((job) => !isHidden(job)).slice(0, NEWEST)),
    );
    return idsOf(jobs.newestCreatedFirst.filter((job) => ids.has(job.train_id)));
  }

  const selectedSet = computed<ReadonlySet<string>>(() => new Set(selected.value));

  const drawn = computed(() =>
    selected.value.length > MOST_DRAWN ? selected.value.slice(0, MOST_DRAWN) : selected.value,
  );

  const styles = shallowRef<ReadonlyMap<string, number>>(new Map());

  // Remember colors across reloads, including how collisions were resolved.
  watch(
    selected,
    (trainIds) => {
      const remembered = new Map([...keptStyles(), ...styles.value]);
      styles.value = assignStyles(trainIds, remembered);
      keepStyles(new Map([...remembered, ...styles.value]));
    },
    { immediate: true, flush: 'sync' },
  );

  const colorOf = (trainId: string): string =>
    annotations.of(trainId).colour ?? styleColor(styles.value.get(trainId) ?? 0, preferences.theme);

  const dashOf = (trainId: string): readonly number[] =>
    (annotations.of(trainId).colour ?? null) === null
      ? styleDash(styles.value.get(trainId) ?? 0)
      : [];

  function toggle(trainId: string): void {
    const trainIds = selectedSet.value.has(trainId)
      ? selected.value.filter((id) => id !== trainId)
      : [...selected.value, trainId];
    choice.value = { kind: 'list', trainIds };
  }

  function selectOnly(trainIds: readonly string[]): void {
    choice.value = { kind: 'list', trainIds };
  }

  function selectMatching(): void {
    choice.value = { kind: 'matching' };
  }

  const everyMatch = computed(
    () =>
      matching.value.length > 0 &&
      matching.value.every((job) => selectedSet.value.has(job.train_id)),
  );

  const toggleMatching = (): void => (everyMatch.value ? selectOnly([]) : selectMatching());

  return {
    filter,
    choice,
    literal,
    question,
    begun,
    unknownField,
    showHidden,
    matching,
    selected,
    selectedSet,
    drawn,
    styles,
    colorOf,
    dashOf,
    toggle,
    selectOnly,
    selectMatching,
    everyMatch,
    toggleMatching,
  };
});
