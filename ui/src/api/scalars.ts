import { getBytes, readAnswer } from './client';
import { seriesOfArrow } from './scalars_arrow';
import { contractTag } from './tags';
import { currentTransport } from './transport';

const SCALAR = 'scalar';

export interface ScalarSeries {
  readonly train_id: string;
  readonly tag: string;
  readonly step: Float64Array;
  /** Unix seconds; NaN if the log has none. */
  readonly wall_time: Float64Array;
  readonly value: Float64Array;
  readonly smoothed?: Float64Array;
  readonly total: number;
  /** Points replaced after a restart, or stray. */
  readonly superseded: number;
  /** The files that wrote the series at the same time. The points are those of the first. */
  readonly writers?: readonly string[];
  /** Points in the range, before reduction; absent if nothing was reduced. */
  readonly inRange?: number;
  /** Points that a snapshot has of the whole series, if it does not have all. */
  readonly held?: number;
  /** Values of the x axis if that is a scalar; the points are in its order. */
  readonly x?: Float64Array;
  /** Points without a value of that scalar. */
  readonly withoutX?: number;
}

export interface ScalarUpdate extends ScalarSeries {
  readonly reset: boolean;
  readonly truncate_from_step: number | null;
}

/** Equal questions can be asked again with the answer's cursor. */
export interface ScalarQuestion {
  readonly trainIds: readonly string[];
  readonly tags: readonly string[];
  readonly maxPoints: number;
  readonly startStep?: number;
  readonly endStep?: number;
  readonly startTime?: number;
  readonly endTime?: number;
  /** The scalar of the x axis, and its visible range. */
  readonly xTag?: string;
  readonly startX?: number;
  readonly endX?: number;
  /** For example `ema:0.6`; over all points of each series. */
  readonly smoothing?: string;
}

export interface ScalarAnswer {
  readonly series: readonly ScalarUpdate[];
  readonly cursor: string;
}

/** All points of series, or with a cursor the new ones. */
export async function fetchScalars(
  question: ScalarQuestion,
  since: string | null,
): Promise<ScalarAnswer> {
  const { scalars } = currentTransport();
  if (scalars) return scalars(question);
  const bytes = await getBytes('datavisual/scalars', { ...scalarsQuery(question), since });
  return readAnswer(() => seriesOfArrow(bytes));
}

export const scalarsQuery = (question: ScalarQuestion) => ({
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
  format: 'arrow',
});
