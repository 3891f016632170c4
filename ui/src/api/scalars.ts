import { getBytes, readAnswer } from './client';
import { seriesOfArrow } from './scalars_arrow';
import { contractTag } from './tags';

const SCALAR = 'scalar';

/** One series as answered: columns of equal length, oldest point first. */
export interface ScalarSeries {
  readonly train_id: string;
  /** As logged. */
  readonly tag: string;
  readonly step: Float64Array;
  /** Unix seconds; NaN where the log has none. */
  readonly wall_time: Float64Array;
  readonly value: Float64Array;
  /** What became of the values, where a smoothing was asked for. */
  readonly smoothed?: Float64Array;
  /** Points in the log, superseded ones included. */
  readonly total: number;
  /** How many of them do not count: replaced after a restart, or stray. */
  readonly superseded: number;
  /** The files that wrote the series at the same time; these points are the first one's. */
  readonly writers?: readonly string[];
  /** Points within the bounds asked for, those included that a reduction left out; absent if none was. */
  readonly inRange?: number;
  /** Where the points are on an axis that is another scalar, which they are in the order of then. */
  readonly x?: Float64Array;
  /** Points that have no place on that axis. */
  readonly withoutX?: number;
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
  /** As logged: the scalar whose values are the x axis, and the part of it that is looked at. */
  readonly xTag?: string;
  readonly startX?: number;
  readonly endX?: number;
  /** `ema:0.6` and the like: over all points of each series. */
  readonly smoothing?: string;
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
): Promise<ScalarAnswer> {
  const bytes = await getBytes('datavisual/scalars', {
    train_id: question.trainIds,
    tag: question.tags.map((tag) => contractTag(SCALAR, tag)),
    max_points: question.maxPoints,
    start_step: question.startStep,
    end_step: question.endStep,
    start_time: question.startTime,
    end_time: question.endTime,
    smoothing: question.smoothing,
    x_tag: question.xTag === undefined ? undefined : contractTag(SCALAR, question.xTag),
    start_x: question.startX,
    end_x: question.endX,
    since,
    format: 'arrow',
  });
  return readAnswer(() => seriesOfArrow(bytes));
}
