import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import type { TrainJob } from '@/api/train_jobs';
import { formatField } from '@/base/format';
import type { Value } from '@/base/job_query';
import { fieldLeftOut, groupFields, TOGETHER } from '@/base/run_groups';
import { readSorting, withSeverity, type SortKey } from '@/base/sorting';
import { namesField } from '@/base/url_fields';
import { compareValues, presentValue } from '@/base/value_order';

import { useAnnotations } from './annotations';
import { useJobFacts } from './job_facts';
import { useJobFields } from './job_fields';
import { useRunNames } from './run_names';
import { useSelection } from './selection';
import { useTrainJobs } from './train_jobs';
import type { UrlPart } from './url_state';

/** New runs come first, and running ones stay where they are. */
export const USUAL_ORDER: readonly string[] = ['-created'];

const ORDER = namesField(USUAL_ORDER);
const BY = namesField();
const NONE: readonly string[] = [];

/** Texts of a field's values as in tables; with all digits if some would be equal. */
function textsFor(field: string, values: ReadonlySet<Value>): (value: Value) => string {
  const rounded = (value: Value): string =>
    typeof value === 'number' ? formatField(field, value) : String(value);
  const textOf = new Set([...values].map(rounded)).size === values.size ? rounded : String;
  return (value) => (presentValue(value) === undefined ? '' : textOf(value));
}

/** How runs are sorted and grouped, in the table, the panel and the charts. */
export const useRunOrder = defineStore('run_order', () => {
  const facts = useJobFacts();
  const fields = useJobFields();
  const notes = useAnnotations();
  const selection = useSelection();
  const jobs = useTrainJobs();
  const names = useRunNames();

  /** Fields; `-` before one: descending. */
  const sort = shallowRef<readonly string[]>(USUAL_ORDER);
  /** Fields to group by; `*`: all runs together; `*-seed`: all parameters except the seed. */
  const by = shallowRef<readonly string[]>([]);

  const sorting = computed(() => readSorting(sort.value));
  const isTogether = computed(() => by.value.includes(TOGETHER));

  /** The fields of a grouping by the server, which knows the runs that are not listed. */
  const resolvedBy = shallowRef<{ by: readonly string[]; fields: readonly string[] } | null>(null);
  const needsServer = computed(
    () => jobs.window !== null && by.value.some((name) => fieldLeftOut(name) !== null),
  );

  const groupedBy = computed(() => {
    if (needsServer.value)
      return resolvedBy.value?.by === by.value ? resolvedBy.value.fields : NONE;
    return groupFields(by.value, fields.parameters.names, {
      resolve: fields.resolve,
      column: (name) => facts.table.column(name),
    });
  });

  /** Whether all runs are one group. */
  const isSingle = computed(() => isGrouped.value && groupedBy.value.length === 0);

  const isGrouped = computed(
    () => by.value.length > 0 && (isTogether.value || groupedBy.value.length > 0 || facts.known),
  );

  /** The field that the panel shows beside each run, as selected. */
  const selectedMetric = ref('');
  /** By default the result that runs are sorted by; empty: the charts' first tag. */
  const metric = computed({
    get: () => {
      if (selectedMetric.value !== '') return selectedMetric.value;
      const first = fields.resolve(sorting.value[0]?.id ?? '');
      return /^(metric|scalar)\//.test(first) ? first : '';
    },
    set: (field) => (selectedMetric.value = field),
  });
  const metricOf = computed(() => (metric.value === '' ? null : fields.getter(metric.value)));
  facts.use(() => (metric.value === '' ? null : fields.scalarColumns([metric.value])));

  const needed = computed(() => [...sorting.value.map(({ id }) => id), ...groupedBy.value]);
  facts.use(() =>
    by.value.length > 0 || needed.value.some((name) => !fields.isOwn(name))
      ? fields.scalarColumns(needed.value)
      : null,
  );

  /** Whether groups are named by the values of the one field that was selected. */
  const isNamedByValue = computed(
    () =>
      by.value.length === 1 && groupedBy.value.length === 1 && by.value[0] === groupedBy.value[0],
  );

  /** Names the group of a run; of several fields by those that these runs differ in, if any. */
  function groupNamer(jobs: readonly TrainJob[]): (job: TrainJob) => string {
    const named = groupedBy.value.map((field) => {
      const get = fields.getter(field);
      const values = new Set(jobs.map(get));
      return { field, get, differs: values.size > 1, textOf: textsFor(field, values) };
    });
    const [only] = named;
    if (only && isNamedByValue.value) return (job) => only.textOf(only.get(job));
    const differing = named.filter(({ differs }) => differs);
    return (job) =>
      (differing.length > 0 ? differing : named)
        .flatMap(({ field, get, textOf }) => {
          const text = textOf(get(job));
          return text === '' ? [] : [`${fields.titleOf(field)} ${text}`];
        })
        .join(', ');
  }

  /** Whether groups are repetitions of a config: runs without one have nothing in common. */
  const isByConfig = computed(() => by.value.some((name) => fieldLeftOut(name) !== null));

  /** As `groupNamer`, for lines and colors: runs without config are not averaged. */
  function lineNamer(jobs: readonly TrainJob[]): (job: TrainJob) => string {
    const nameOf = groupNamer(jobs);
    return isByConfig.value ? (job) => nameOf(job) || names.nameOf(job.train_id) : nameOf;
  }

  const isUsual = computed(() => sort.value.join() === USUAL_ORDER.join());
  const isPinned = (job: TrainJob): boolean => notes.byId.get(job.train_id)?.pinned === true;

  /** Runs that match the filter, are selected or shown by a link, pinned ones first. */
  const sorted = computed<readonly TrainJob[]>(() => {
    if (jobs.window !== null) return windowRuns(new Set(jobs.window.ids));
    const listed = listedRuns();
    return isUsual.value && !listed.some(isPinned)
      ? listed
      : sortedRuns(listed, withSeverity(sorting.value), isPinned);
  });

  function listedRuns(): readonly TrainJob[] {
    const matching = new Set(selection.matching.map((job) => job.train_id));
    const beside = new Set(selection.present.filter((id) => !matching.has(id)));
    return beside.size === 0
      ? selection.matching
      : jobs.newestCreatedFirst.filter(({ train_id: id }) => matching.has(id) || beside.has(id));
  }

  /** Those of the pages, in the server's order, then the others that are selected or shown. */
  function windowRuns(paged: ReadonlySet<string>): readonly TrainJob[] {
    const beside = new Set(selection.present.filter((id) => !paged.has(id)));
    const others = jobs.newestCreatedFirst.filter(({ train_id: id }) => beside.has(id));
    return [...selection.matching, ...sortedRuns(others, withSeverity(sorting.value), isPinned)];
  }

  function sortedRuns(
    listed: readonly TrainJob[],
    keys: readonly SortKey[],
    isFirst: (job: TrainJob) => boolean,
  ): readonly TrainJob[] {
    const getters = keys.map(({ id }) => fields.getter(id));
    const rows = listed.map((job) => ({
      job,
      first: isFirst(job),
      values: getters.map((get) => presentValue(get(job))),
    }));
    rows.sort((a, b) => {
      if (a.first !== b.first) return a.first ? -1 : 1;
      for (const [i, { desc }] of keys.entries()) {
        const [left, right] = [a.values[i], b.values[i]];
        if (left === right) continue;
        if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
        const order = compareValues(left, right);
        if (order !== 0) return desc ? -order : order;
      }
      return 0;
    });
    return rows.map(({ job }) => job);
  }

  function toggleGrouping(id: string): void {
    by.value = groupedBy.value.includes(id)
      ? groupedBy.value.filter((name) => name !== id)
      : [...groupedBy.value, id];
  }

  const urlPart: UrlPart = {
    shared: true,
    write: () => ({
      order: isUsual.value ? undefined : ORDER.write(sort.value),
      by: by.value.length === 0 ? undefined : BY.write(by.value),
      metric: selectedMetric.value || undefined,
    }),
    read: (query) => {
      const [order, grouping] = [query['order'], query['by']];
      sort.value = (order === undefined ? undefined : ORDER.read(order)) ?? USUAL_ORDER;
      selectedMetric.value = query['metric'] ?? '';
      by.value = (grouping === undefined ? undefined : BY.read(grouping)) ?? [];
    },
    step: () => [sort.value, by.value],
  };

  return {
    metric,
    metricOf,
    sort,
    sorting,
    sorted,
    by,
    isGrouped,
    isSingle,
    isTogether,
    needsServer,
    resolvedBy,
    groupedBy,
    isNamedByValue,
    isByConfig,
    groupNamer,
    lineNamer,
    toggleGrouping,
    urlPart,
  };
});
