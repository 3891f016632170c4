import { getJson } from './client';
import { contractTag, logTag } from './tags';

const PLUGIN = 'scalar';

/** One series as answered: columns of equal length, oldest point first. */
export interface ScalarSeries {
  readonly train_id: string;
  readonly tag: string;
  readonly step: Float64Array;
  /** Unix seconds; NaN where the log has none. */
  readonly wall_time: Float64Array;
  readonly value: Float64Array;
  /** Points in the log, superseded ones included. */
  readonly total: number;
  /** How many of them a restart has replaced. */
  readonly superseded: number;
}

/** With a cursor: what to do with the points one has before appending these. */
export interface ScalarUpdate extends ScalarSeries {
  readonly reset: boolean;
  readonly truncate_from_step: number | null;
}

/** Which points of which series. Equal questions may be asked again with the answer's cursor. */
export interface ScalarQuestion {
  readonly trainIds: readonly string[];
  /** As logged. */
  readonly tags: readonly string[];
  readonly maxPoints: number;
  readonly startStep?: number;
  readonly endStep?: number;
  readonly startTime?: number;
  readonly endTime?: number;
}

export interface ScalarAnswer {
  /** Series that are not there are left out. */
  readonly series: readonly ScalarUpdate[];
  readonly cursor: string;
}

/** Ask for series, or, with a cursor, for what is new in them. */
export async function fetchScalars(
  question: ScalarQuestion,
  since: string | null,
  signal?: AbortSignal,
): Promise<ScalarAnswer> {
  const answer = await getJson<ColumnsAnswer>(
    'datavisual/scalars',
    {
      train_id: question.trainIds,
      tag: question.tags.map((tag) => contractTag(PLUGIN, tag)),
      max_points: question.maxPoints,
      start_step: question.startStep,
      end_step: question.endStep,
      start_time: question.startTime,
      end_time: question.endTime,
      since,
      format: 'columns',
    },
    signal,
  );
  return { cursor: answer.cursor, series: answer.scalars.map(seriesOfColumns) };
}

/** The facts of a series that every format of answer states. */
export interface SeriesFacts {
  readonly train_id: string;
  readonly tag: string;
  readonly total: number;
  readonly superseded: number;
  readonly reset?: boolean;
  readonly truncate_from_step?: number | null;
}

interface ColumnsSeries extends SeriesFacts {
  readonly non_finite: readonly (readonly [number, string])[];
  readonly values: {
    readonly step: readonly number[];
    readonly wall_time: readonly (number | null)[];
    readonly value: readonly (number | null)[];
  };
}

interface ColumnsAnswer {
  readonly cursor: string;
  readonly scalars: readonly ColumnsSeries[];
}

/** Exported for the tests: JSON columns to typed arrays, nulls to what they stand for. */
export function seriesOfColumns(series: ColumnsSeries): ScalarUpdate {
  const { step, wall_time, value } = series.values;
  const values = Float64Array.from(value, (one) => one ?? NaN);
  // `Number` knows "NaN", "Infinity" and "-Infinity".
  for (const [index, name] of series.non_finite) values[index] = Number(name);
  return {
    ...updateOf(series),
    step: Float64Array.from(step),
    wall_time: Float64Array.from(wall_time, (one) => one ?? NaN),
    value: values,
  };
}

export function updateOf(facts: SeriesFacts): Omit<ScalarUpdate, 'step' | 'wall_time' | 'value'> {
  return {
    train_id: facts.train_id,
    tag: logTag(PLUGIN, facts.tag),
    total: facts.total,
    superseded: facts.superseded,
    reset: facts.reset ?? true,
    truncate_from_step: facts.truncate_from_step ?? null,
  };
}
