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

const MOST_VALUES = 200;

export type GetValue = (job: TrainJob) => Value;

const tagCount = (job: TrainJob): number =>
  Object.values(job.plugins).reduce((sum, tags) => sum + tags.length, 0);

/** All values of jobs by field name, for tables and queries. */
export const useJobFields = defineStore('job_fields', () => {
  const jobs = useTrainJobs();
  const facts = useJobFacts();
  const notes = useAnnotations();
  const status = useStatus();

  const factNames = computed(() => new Set(facts.names));

  const scalarTags = computed(() => {
    const kinds = new Set([...jobs.byId.values()].map((job) => job.plugins));
    return new Set([...kinds].flatMap((plugins) => plugins['scalar'] ?? []));
  });

  /** Not an action of the store: those are slow for thousands of jobs. */
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

  /** The field of a name: itself, one with a prefix, an alias, or a scalar's last value. */
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

  const scalarColumns = (fields: readonly string[]): string[] =>
    fields.map(resolve).filter((name) => name.startsWith('scalar/') && STATISTIC.test(name));

  function getter(word: string): GetValue {
    const name = resolve(word);
    const getOwn = ownValue(own, name);
    if (getOwn) return getOwn;
    const get = facts.table.getter(name);
    const alias = ownValue(ALIASES, word.toLowerCase());
    if (alias === undefined || alias === name || !factNames.value.has(alias))
      return (job) => get(job.train_id);
    const other = facts.table.getter(alias);
    return (job) => get(job.train_id) ?? other(job.train_id);
  }

  /** Whether the field exists; true while facts are not loaded. */
  function isKnown(word: string): boolean {
    const name = resolve(word);
    return (
      Object.hasOwn(own, name) ||
      factNames.value.has(name) ||
      name.startsWith('scalar/') ||
      !facts.known
    );
  }

  const begins = (typed: string): boolean =>
    [...names.value, ...Object.keys(ALIASES)].some((name) => name.toLowerCase().startsWith(typed));

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

  /** Cached values by field, until the data changes. */
  const offered = computed(() => ({
    of: [jobs.byId, facts.table, notes.byId],
    byName: new Map<string, readonly string[]>(),
  }));

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

  /** Known without loading facts. */
  const isOwn = (name: string): boolean => Object.hasOwn(own, name);

  return {
    isOwn,
    names,
    scalarTags,
    resolve,
    scalarColumns,
    getter,
    isKnown,
    begins,
    valuesOf,
    short,
  };
});
