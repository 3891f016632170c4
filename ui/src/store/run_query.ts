import { computed } from 'vue';

import type { TrainJob } from '@/api/train_jobs';
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

import { useJobFacts } from './job_facts';
import { useJobFields } from './job_fields';
import { jobName } from './job_name';
import { useTrainJobs } from './train_jobs';

/**
 * The condition that a filter's text states. While the text is incomplete, the last complete one
 * counts; with `typing`, also while its last word may become a condition.
 */
export function useRunQuery(text: () => string, { typing }: { readonly typing: boolean }) {
  const jobs = useTrainJobs();
  const facts = useJobFacts();
  const known = useJobFields();

  const question = computed<{
    readonly condition: Condition | null;
    readonly error: QueryError | null;
  }>(() => {
    try {
      return { condition: conditionOf(text()), error: null };
    } catch (error) {
      if (error instanceof QueryError) return { condition: null, error };
      throw error;
    }
  });

  const namesOf = (job: TrainJob): readonly string[] => [jobName(job.train_id), job.display_name];

  /** A word that may become a condition or "and" while typing, and matches no run. */
  const begun = computed(() => {
    const { condition, error } = question.value;
    const word = error ? null : lastName(text());
    if (!condition || word === null) return null;
    const typed = word.text.toLowerCase();
    if (
      !known.begins(typed) &&
      !(word.from > 0 && ['and', 'or'].some((joint) => joint.startsWith(typed)))
    )
      return null;
    const { matches } = parsePattern(isQuery(text()) ? word.text : text());
    return jobs.newestCreatedFirst.some((job) => namesOf(job).some(matches)) ? null : word.text;
  });

  const last = computed<{ readonly text: string; readonly condition: Condition | null }>(
    (before) =>
      question.value.error !== null || (typing && begun.value !== null)
        ? (before ?? { text: '', condition: null })
        : { text: text(), condition: question.value.condition },
  );
  const condition = computed(() => last.value.condition);

  const fields = computed(() => (condition.value ? fieldsOf(condition.value) : []));
  facts.use(() => (fields.value.length > 0 ? known.scalarColumns(fields.value) : null));

  return {
    question,
    begun,
    /** The last complete text. */
    complete: computed(() => last.value.text),
    literal: computed(() => !isQuery(text()) && parsePattern(text()).literal),
    fields,
    unknownField: computed(() => fields.value.find((field) => !known.isKnown(field)) ?? null),
    matcher: (): ((job: TrainJob) => boolean) | null =>
      condition.value ? matcherOf(condition.value, known.getter, namesOf) : null,
  };
}

export type RunQuery = ReturnType<typeof useRunQuery>;
