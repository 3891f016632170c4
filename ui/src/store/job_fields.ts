import { defineStore } from 'pinia';
import { computed, shallowReactive, watch } from 'vue';

import type { Annotation } from '@/api/lineage';
import { ApiError } from '@/api/client';
import { fetchFieldValues, type TrainJob } from '@/api/train_jobs';
import { firstOf } from '@/base/first_of';
import type { Value } from '@/base/job_query';
import { jobState } from '@/base/job_state';
import { naturalOrder } from '@/base/natural_order';
import { ownValue } from '@/base/own_value';
import {
  fieldOf,
  findsName,
  parameterNames,
  usualSpellings,
  type ParameterNames,
} from '@/base/parameter_names';
import { isStatistic, sparkTag, withoutStatistic } from '@/base/scalar_columns';
import { jobName } from '@/store/job_name';
import { compareValues } from '@/base/value_order';

import { useAnnotations } from './annotations';
import type { FactTable } from './fact_table';
import { useIssues } from './issues';
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
  'anomalies',
  'severe_anomalies',
] as const;
export const NOTE_FIELDS = ['remark', 'notes', 'group', 'mark', 'pinned', 'hidden'] as const;

/** Abbreviations that queries may use. */
const ALIASES: Readonly<Record<string, string>> = {
  batch: 'batch_size',
  opt: 'optimizer',
  status: 'state',
};
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
  const issues = useIssues();

  const factNames = computed(() => new Set(facts.names));

  /** Config and results of runs, each under one name. */
  const parameters = computed<ParameterNames>(() =>
    jobs.overview && jobs.window
      ? {
          names: jobs.overview.parameters,
          shownAs: new Map(Object.entries(jobs.overview.shown_as)),
        }
      : parameterNames(facts.names, (name) => facts.table.column(name)),
  );
  /** What fields are called that runs log under several names. */
  const spellings = computed(() =>
    usualSpellings(parameters.value, (name) => facts.table.count(name)),
  );
  const shownAs = (name: string): string => parameters.value.shownAs.get(name) ?? name;

  const scalarTags = computed(() => {
    const kinds = new Set(jobs.kinds.map((kind) => kind.plugins));
    return new Set([...kinds].flatMap((plugins) => plugins['scalar'] ?? []));
  });

  /** Not an action of the store: those are slow for thousands of jobs. */
  const noted = (job: TrainJob): Annotation | undefined => notes.byId.get(job.train_id);

  /** Notes are none. */
  function anomalies(job: TrainJob): number | null {
    const events = issues.eventsOf(job);
    return events && events.severe + events.warning;
  }

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
    anomalies: (job) => anomalies(job),
    severe_anomalies: (job) => issues.eventsOf(job)?.severe ?? null,
    remark: (job) => noted(job)?.remark ?? null,
    notes: (job) => noted(job)?.notes ?? null,
    group: (job) => noted(job)?.group ?? null,
    mark: (job) => noted(job)?.tag ?? null,
    pinned: (job) => noted(job)?.pinned ?? false,
    hidden: (job) => noted(job)?.hidden ?? false,
  };

  /** The field of a name: itself, one with a prefix, an alias, or a scalar's last value. */
  function resolve(word: string): string {
    if (Object.hasOwn(own, word) || word.startsWith('scalar/')) return word;
    const spark = sparkTag(word);
    if (spark !== null) return `scalar/${spark}/last`;
    if (factNames.value.has(word)) return shownAs(word);
    for (const prefix of PREFIXES)
      if (factNames.value.has(prefix + word)) return shownAs(prefix + word);
    const alias = aliasOf(word);
    if (alias !== undefined) return shownAs(alias);
    if (scalarTags.value.has(word)) return `scalar/${word}/last`;
    if (isStatistic(word) && scalarTags.value.has(withoutStatistic(word))) return `scalar/${word}`;
    return word;
  }

  /** The field that a word abbreviates or spells differently. */
  function aliasOf(word: string): string | undefined {
    const alias = ownValue(ALIASES, word.toLowerCase()) ?? fieldOf(word);
    const exists = factNames.value.has(alias) || Object.hasOwn(own, alias);
    return alias !== word && exists ? alias : undefined;
  }

  const scalarColumns = (fields: readonly string[]): string[] =>
    fields.map(resolve).filter((name) => name.startsWith('scalar/') && isStatistic(name));

  const getter = (word: string): GetValue => getterIn(facts.table, word);

  function getterIn(table: FactTable, word: string): GetValue {
    const name = resolve(word);
    const getOwn = ownValue(own, name);
    if (getOwn) return getOwn;
    const get = table.getter(name);
    const alias = factNames.value.has(word) ? undefined : aliasOf(word);
    if (alias === undefined || alias === name) return (job) => get(job.train_id);
    const other = table.getter(alias);
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
    names.value.some((name) => name.toLowerCase().startsWith(typed) || findsName(typed, name)) ||
    Object.keys(ALIASES).some((name) => name.startsWith(typed));

  const names = computed(() => [
    ...OWN_FIELDS,
    ...parameters.value.names.filter((name) => !name.startsWith('scalar/')).map(short),
    ...NOTE_FIELDS,
    ...[...scalarTags.value].sort(naturalOrder),
  ]);

  const bareName = (name: string): string =>
    PREFIXES.reduce(
      (text, prefix) => (text.startsWith(prefix) ? text.slice(prefix.length) : text),
      spellings.value.get(name) ?? name,
    );

  /** A name that queries understand. */
  function short(name: string): string {
    const bare = bareName(name);
    return resolve(bare) === name ? bare : name;
  }

  const bareNames = computed(() => {
    const counts = new Map<string, number>();
    for (const name of parameters.value.names) {
      const bare = bareName(name);
      counts.set(bare, (counts.get(bare) ?? 0) + 1);
    }
    return counts;
  });
  /** As logged, unless two fields have the name: queries may know another field by it. */
  const titleOf = (name: string): string =>
    bareNames.value.get(bareName(name)) === 1 ? bareName(name) : short(name);

  /** Cached values by field, until the data changes. */
  const offered = computed(() => ({
    of: [jobs.byId, facts.table, notes.byId],
    byName: new Map<string, readonly string[]>(),
  }));

  /** Values of all runs by field, of folders whose runs are not all listed. */
  const requested = shallowReactive(new Map<string, readonly string[]>());
  watch(
    () => jobs.overview,
    () => requested.clear(),
  );

  async function requestValues(word: string): Promise<void> {
    requested.set(word, []);
    try {
      requested.set(word, await fetchFieldValues(resolve(word)));
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      // The next overview requests them again.
    }
  }

  /** The most frequent values; empty until the server has answered. */
  function valuesOf(word: string): readonly string[] {
    if (jobs.window === null) return listedValues(word);
    const known = requested.get(word);
    if (known === undefined) void requestValues(word);
    return known ?? [];
  }

  function listedValues(word: string): readonly string[] {
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
    parameters,
    spellings,
    scalarTags,
    resolve,
    scalarColumns,
    getter,
    getterIn,
    isKnown,
    begins,
    valuesOf,
    short,
    titleOf,
  };
});
