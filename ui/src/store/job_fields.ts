import { defineStore } from 'pinia';
import { computed } from 'vue';

import type { Annotation } from '@/api/lineage';
import type { TrainJob } from '@/api/train_jobs';
import { firstOf } from '@/base/first_of';
import type { Value } from '@/base/job_query';
import { jobState } from '@/base/job_state';
import { naturalOrder } from '@/base/natural_order';
import { ownValue } from '@/base/own_value';
import { jobName } from '@/store/job_name';
import { compareValues } from '@/base/value_order';

import { useAnnotations } from './annotations';
import { useJobFacts } from './job_facts';
import { useStatus } from './status';
import { useTrainJobs } from './train_jobs';

/** What every job has, apart from how it was trained. */
export const OWN_FIELDS = [
  'name',
  'state',
  'updated',
  'created',
  'formats',
  'tags',
  'points',
  'size',
  'problems',
] as const;
export const NOTE_FIELDS = ['remark', 'notes', 'group', 'mark', 'pinned', 'hidden'] as const;

/** Other words for fields, of jobs that have none that is called so. */
const ALIASES: Readonly<Record<string, string>> = {
  lr: 'learning_rate',
  batch: 'batch_size',
  epochs: 'epoch',
  model: 'network',
  opt: 'optimizer',
  status: 'state',
};
const STATISTIC = /\/(last|min|max|min_step|max_step)$/;
const PREFIXES = ['metric/', 'user_defined/'];

/** Values of a field that are offered to choose from. */
const MOST_VALUES = 200;

export type GetValue = (job: TrainJob) => Value;

/** Number of tags of a job, all plugins together. */
function tagCount(job: TrainJob): number {
  return Object.values(job.plugins).reduce((sum, tags) => sum + tags.length, 0);
}

/** Everything that is known of a job by the name of a field: what tables show and questions ask. */
export const useJobFields = defineStore('job_fields', () => {
  const jobs = useTrainJobs();
  const facts = useJobFacts();
  const notes = useAnnotations();
  const status = useStatus();

  const factNames = computed(() => new Set(facts.names));

  /** Tags of scalars that any job has. */
  const scalarTags = computed(() => {
    // Jobs with the same tags share them.
    const kinds = new Set([...jobs.byId.values()].map((job) => job.plugins));
    return new Set([...kinds].flatMap((plugins) => plugins['scalar'] ?? []));
  });

  /** Not by an action of the store: ten thousand calls of one take ten milliseconds. */
  const noted = (job: TrainJob): Annotation | undefined => notes.byId.get(job.train_id);

  const own: Readonly<Record<string, GetValue>> = {
    name: (job) => jobName(job.train_id),
    state: (job) => jobState(job, status.now),
    updated: (job) => job.update_timestamp,
    created: (job) => job.create_timestamp,
    formats: (job) => job.formats.join(', '),
    tags: tagCount,
    points: (job) => job.points,
    size: (job) => job.bytes,
    problems: (job) => job.problem_count,
    remark: (job) => noted(job)?.remark ?? null,
    notes: (job) => noted(job)?.notes ?? null,
    group: (job) => noted(job)?.group ?? null,
    mark: (job) => noted(job)?.tag ?? null,
    pinned: (job) => noted(job)?.pinned ?? false,
    hidden: (job) => noted(job)?.hidden ?? false,
  };

  /** The field that is meant by a word: itself, or what ends in it, or a scalar's last value. */
  function resolve(word: string): string {
    if (Object.hasOwn(own, word) || factNames.value.has(word) || word.startsWith('scalar/'))
      return word;
    for (const prefix of PREFIXES) if (factNames.value.has(prefix + word)) return prefix + word;
    const alias = ownValue(ALIASES, word.toLowerCase());
    if (alias !== undefined) return alias;
    if (scalarTags.value.has(word)) return `scalar/${word}/last`;
    if (STATISTIC.test(word) && scalarTags.value.has(word.replace(STATISTIC, '')))
      return `scalar/${word}`;
    return word;
  }

  /** Columns of scalars that have to be asked for, so that these fields are known. */
  function scalarColumns(fields: readonly string[]): string[] {
    return fields.map(resolve).filter((name) => name.startsWith('scalar/') && STATISTIC.test(name));
  }

  function getter(word: string): GetValue {
    const name = resolve(word);
    const getOwn = ownValue(own, name);
    if (getOwn) return getOwn;
    const get = facts.table.getter(name);
    const alias = ownValue(ALIASES, word.toLowerCase());
    if (alias === undefined || alias === name || !factNames.value.has(alias))
      return (job) => get(job.train_id);
    // Logs of one format call it so, those of another otherwise.
    const other = facts.table.getter(alias);
    return (job) => get(job.train_id) ?? other(job.train_id);
  }

  /** Whether anything goes by this name; what is not read yet may. */
  function isKnown(word: string): boolean {
    const name = resolve(word);
    return (
      Object.hasOwn(own, name) ||
      factNames.value.has(name) ||
      name.startsWith('scalar/') ||
      !facts.known
    );
  }

  /** Whether a field that a question may use begins with this, in lower case. */
  function begins(typed: string): boolean {
    return [...names.value, ...Object.keys(ALIASES)].some((name) =>
      name.toLowerCase().startsWith(typed),
    );
  }

  /** Names that a question may use, the shortest that means each. */
  const names = computed(() => [
    ...OWN_FIELDS,
    ...facts.names.filter((name) => !name.startsWith('scalar/')).map(short),
    ...NOTE_FIELDS,
    ...[...scalarTags.value].sort(naturalOrder),
  ]);

  function short(name: string): string {
    const bare = PREFIXES.reduce(
      (text, prefix) => (text.startsWith(prefix) ? text.slice(prefix.length) : text),
      name,
    );
    return resolve(bare) === name ? bare : name;
  }

  /** Values that were asked for, by field, as long as nothing of what they are read from changes. */
  const offered = computed(() => ({
    of: [jobs.byId, facts.table, notes.byId],
    byName: new Map<string, readonly string[]>(),
  }));

  /** Values of a field among all jobs, the most frequent first: a few hundred of them. */
  function valuesOf(word: string): readonly string[] {
    const { byName } = offered.value;
    const known = byName.get(word);
    if (known) return known;
    const counts = new Map<NonNullable<Value>, number>();
    const get = getter(word);
    for (const job of jobs.byId.values()) {
      const value = get(job);
      if (value !== null && value !== undefined && value !== '')
        counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const few = firstOf(counts, MOST_VALUES, (a, b) => b[1] - a[1] || compareValues(a[0], b[0]));
    const values = few.map(([value]) => String(value));
    byName.set(word, values);
    return values;
  }

  return { names, scalarTags, resolve, scalarColumns, getter, isKnown, begins, valuesOf, short };
});
