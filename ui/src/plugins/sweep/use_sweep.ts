import { computed, reactive } from 'vue';

import type { TrainJob } from '@/api/train_jobs';
import { spansDecades } from '@/base/decades';
import type { Value } from '@/base/job_query';
import { bestOf } from '@/base/metric_tags';
import { rampRange } from '@/base/value_ramp';
import { inOrder } from '@/charts/axis_slots';
import { axisOf, readBrush, within, type Axis } from '@/charts/parallel_lines';
import type { Scale } from '@/charts/axis_scale';
import { useSeriesWords } from '@/jobs/series_words';
import { useJobFacts } from '@/store/job_facts';
import { useJobFields } from '@/store/job_fields';
import { useRunOrder } from '@/store/run_order';
import { useSelection } from '@/store/selection';
import { useTrainJobs } from '@/store/train_jobs';

import {
  differs,
  hasValues,
  isIdentifier,
  isResult,
  isThere,
  mostKnown,
  parametersIn,
  resultRank,
  resultsIn,
  varies,
} from './config';
import { sweepState } from './page_state';
import { groupValue, rowsOf, type SweepRow } from './rows';

const MOST_AXES = 12;
const USUAL_PARAMETERS = 7;
const USUAL_RESULTS = 5;
const RESULT_AXES = 2;
const MOST_COLUMNS = 100;
/** Series whose best values are results if no run logged metrics. */
const MOST_SERIES = 8;

/** The runs of the page, their config and their results: the one model of all of its sections. */
export type Sweep = ReturnType<typeof useSweep>;

export function useSweep() {
  const state = sweepState.use();
  const facts = useJobFacts();
  const fields = useJobFields();
  const jobs = useTrainJobs();
  const order = useRunOrder();
  const selection = useSelection();
  const seriesName = useSeriesWords();

  /** The visible runs; with the default selection, all that match the filter. */
  const listed = computed(() =>
    selection.choice.kind === 'newest'
      ? selection.matching.filter(({ train_id: id }) => !selection.hidden.has(id))
      : selection.visible.flatMap((id) => jobs.byId.get(id) ?? []),
  );

  /** As logged; last values of series are among the facts only while a page requests them. */
  const names = computed(() =>
    fields.parameters.names.filter((name) => !name.startsWith('scalar/')),
  );
  const logged = computed(() => resultsIn(names.value));

  /** Runs with config or results. */
  const runs = computed(() => {
    const getters = [...parametersIn(names.value), ...logged.value].map(fields.getter);
    return listed.value.filter((job) =>
      getters.some((get) => {
        const value = get(job);
        return value !== null && value !== undefined;
      }),
    );
  });

  const columnsOfRuns = computed(() => {
    const read = new Map<string, readonly Value[]>();
    const of = runs.value;
    return (field: string): readonly Value[] => {
      const known = read.get(field) ?? of.map(fields.getter(field));
      read.set(field, known);
      return known;
    };
  });

  /** All parameters of these runs. */
  const parameters = computed(() =>
    parametersIn(names.value).filter((field) => hasValues(columnsOfRuns.value(field))),
  );
  /** Whether at least half of the runs have a value. */
  const isKnown = (field: string): boolean => {
    const values = columnsOfRuns.value(field);
    return 2 * values.filter(isThere).length >= values.length;
  };
  /** Those that most runs have come first. */
  const differing = computed(() => {
    const found = parameters.value.filter((field) => differs(columnsOfRuns.value(field)));
    return [...found.filter(isKnown), ...found.filter((field) => !isKnown(field))];
  });

  /** Best values of series that are no logged metrics. */
  const bestValues = computed(() => {
    const kinds = new Set(runs.value.map(({ plugins }) => plugins['scalar']));
    const tags = new Set([...kinds].flatMap((of) => of ?? []));
    for (const field of logged.value) tags.delete(field.replace(/^metric\//, ''));
    return resultsIn([...tags].map((tag) => `scalar/${tag}/${bestOf(tag)}`));
  });
  /** Without metrics that differ, results are the best values of the best known series. */
  const series = computed(() =>
    logged.value.some((field) => varies(columnsOfRuns.value(field)))
      ? []
      : bestValues.value.slice(0, MOST_SERIES),
  );

  const results = computed(() => {
    const found = [...logged.value, ...series.value].filter((field) =>
      hasValues(columnsOfRuns.value(field)),
    );
    // Constant results are last: nothing explains them.
    const isConstant = (field: string): number => Number(!varies(columnsOfRuns.value(field)));
    const isRare = (field: string): number => Number(!isKnown(field));
    return found.sort(
      (a, b) =>
        isConstant(a) - isConstant(b) || isRare(a) - isRare(b) || resultRank(a) - resultRank(b),
    );
  });

  const target = computed(() => {
    const wanted = fieldOf(state.target);
    return wanted !== '' && (results.value.includes(wanted) || wanted.startsWith('scalar/'))
      ? wanted
      : (results.value[0] ?? null);
  });

  facts.use(() =>
    fields.scalarColumns(
      [...series.value, ...state.cols, state.target, state.tint].filter(Boolean),
    ),
  );

  /** The field of an argument in a link, which may be an alias or an importance's name. */
  function fieldOf(word: string): string {
    const name = word.replace(/^\[M\]/, 'metric/').replace(/^\[U\]/, 'user_defined/');
    const found = fields.resolve(name);
    if (found !== name || facts.names.includes(name)) return found;
    // A metric that no log declares is the last value of a series.
    return fields.resolve(name.replace(/^(metric|user_defined)\//, ''));
  }

  const isGrouped = computed(() => order.isGrouped);
  const nameOfGroup = computed(() => order.lineNamer(runs.value));
  const rows = computed<SweepRow[]>(() =>
    rowsOf(runs.value, isGrouped.value ? nameOfGroup.value : null),
  );

  const columnsOfRows = computed(() => {
    const read = new Map<string, readonly Value[]>();
    const [of, { statistic }] = [rows.value, state];
    return (field: string): readonly Value[] => {
      const known = read.get(field);
      if (known) return known;
      const get = fields.getter(field);
      const column = of.map(({ jobs: members }) =>
        groupValue(members.map(get), isResult(field), statistic),
      );
      read.set(field, column);
      return column;
    };
  });

  const wanted = computed(() => state.cols.map(fieldOf).slice(0, MOST_COLUMNS));

  /** Columns of the table: the target, other results, then what differs. */
  const columns = computed(() => {
    if (wanted.value.length > 0) return wanted.value;
    const first = target.value === null ? results.value : [target.value, ...results.value];
    const config = state.every ? parameters.value : differing.value;
    return [...[...new Set(first)].slice(0, USUAL_RESULTS), ...config].slice(0, MOST_COLUMNS);
  });

  const usualAxes = computed(() => {
    if (wanted.value.length > 0) return targetLast(wanted.value.slice(0, MOST_AXES));
    const candidates = parameters.value.filter((field) => {
      const values = columnsOfRuns.value(field);
      // Groups have no value of what differs within all of them, such as the seed.
      const hasAxis = !isGrouped.value || hasValues(columnsOfRows.value(field));
      return varies(values) && !isIdentifier(values) && hasAxis;
    });
    const others = results.value.filter(
      (field) => field !== target.value && varies(columnsOfRuns.value(field)),
    );
    return [
      ...mostKnown(candidates, columnsOfRuns.value, USUAL_PARAMETERS),
      ...others.slice(0, RESULT_AXES - 1),
      ...(target.value === null ? [] : [target.value]),
    ];
  });

  const axisFields = computed(() => inOrder(usualAxes.value, state.axes.map(fieldOf)));

  /** Lines go from the parameters to the results, and end at the target. */
  function targetLast(names: readonly string[]): string[] {
    const rank = (field: string): number => (field === target.value ? 2 : Number(isResult(field)));
    return [...names].sort((a, b) => rank(a) - rank(b));
  }

  function scaleOf(field: string, values: readonly Value[]): Scale {
    if (state.scale !== 'auto') return state.scale;
    const numbers = values.filter(isThere);
    if (!numbers.every((value) => typeof value === 'number')) return 'linear';
    // Beside a diverged run, the others would be at one place.
    if (isResult(field)) return rampRange(numbers).clipped ? 'quantile' : 'linear';
    return spansDecades(numbers) ? 'log' : 'linear';
  }

  function axisOfField(field: string): Axis {
    const values = columnsOfRows.value(field);
    return axisOf(field, values, scaleOf(field, values));
  }

  const axes = computed(() => axisFields.value.map(axisOfField));
  const brushes = computed(() =>
    state.brush.flatMap((text) => {
      const brush = readBrush(text);
      return brush ? [{ ...brush, field: fieldOf(brush.field) }] : [];
    }),
  );
  /** Indices of the rows within the marked ranges. */
  const passing = computed(() => within(axes.value, brushes.value, rows.value.length));
  const passingRows = computed(() => passing.value.flatMap((i) => rows.value[i] ?? []));
  const passingJobs = computed<TrainJob[]>(() =>
    passingRows.value.flatMap(({ jobs: members }) => members),
  );

  return reactive({
    listed,
    runs,
    parameters,
    differing,
    results,
    bestValues,
    target,
    isGrouped,
    rows,
    columns,
    axes,
    brushes,
    passing,
    passingRows,
    passingJobs,
    fieldOf,
    axisOfField,
    titleOf: (field: string): string => seriesName(field) ?? fields.titleOf(field),
    groupName: (row: SweepRow): string => {
      const [first] = row.jobs;
      return first === undefined ? '' : nameOfGroup.value(first);
    },
  });
}
