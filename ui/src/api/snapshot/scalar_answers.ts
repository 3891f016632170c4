import type { GroupQuestion, GroupSeries } from '../scalar_groups';
import type { ScalarAnswer, ScalarQuestion, ScalarUpdate } from '../scalars';
import { seriesOfArrow } from '../scalars_arrow';

import { groupPoints, groupStatistics } from './group_statistics';
import { minmax } from './minmax';
import { smoothed } from './smoothing';
import type { SnapshotFile } from './snapshot_file';

interface Kept {
  readonly series: ScalarUpdate;
  /** Whether the snapshot has only some of its points. */
  readonly isReduced: boolean;
  /** Of its column `smoothed`; empty: it has none. */
  readonly smoothing: string;
}

/** A series of a snapshot. */
export interface KeptSeries {
  readonly trainId: string;
  readonly tag: string;
  /** That the snapshot has. */
  readonly points: number;
  /** In the log. */
  readonly all: number;
}

const keyOf = (trainId: string, tag: string): string => `${trainId}\0${tag}`;

/** Answers requests for scalars from the columns of a snapshot. */
export class ScalarAnswers {
  private readonly kept: Promise<ReadonlyMap<string, Kept>>;

  constructor(file: SnapshotFile) {
    this.kept = keptSeries(file);
  }

  async of(question: ScalarQuestion): Promise<ScalarAnswer> {
    const kept = await this.kept;
    const series = question.trainIds.flatMap((trainId) =>
      question.tags.flatMap((tag) => {
        const found = kept.get(keyOf(trainId, tag));
        if (!found) return [];
        const x = question.xTag === undefined ? undefined : kept.get(keyOf(trainId, question.xTag));
        return [selected(found, question, x)];
      }),
    );
    return { series, cursor: '' };
  }

  async described(): Promise<readonly KeptSeries[]> {
    return [...(await this.kept).values()].map(({ series, isReduced }) => {
      const points = series.step.length;
      const all = isReduced ? (series.inRange ?? points) : points;
      return { trainId: series.train_id, tag: series.tag, points, all };
    });
  }

  /** Statistics of groups, of the points that the snapshot has. */
  async groupsOf(
    question: GroupQuestion,
    tags: readonly string[],
  ): Promise<readonly GroupSeries[]> {
    const kept = await this.kept;
    const { smoothing, unfinished = [] } = question;
    return tags.flatMap((tag) =>
      Object.entries(question.groups).flatMap(([name, trainIds]) => {
        const members = trainIds.flatMap((trainId) => kept.get(keyOf(trainId, tag)) ?? []);
        if (members.length === 0) return [];
        const series = members.map((one) => {
          const value = smoothing ? smoothedOf(one, smoothing) : one.series.value;
          return groupPoints({ ...one.series, value }, question);
        });
        const points = series.reduce((sum, { x }) => sum + x.length, 0);
        const open_ends = members
          .flatMap(({ series: { train_id, value } }, i) =>
            unfinished.includes(train_id) && Number.isFinite(value.at(-1))
              ? (series[i]?.x.at(-1) ?? [])
              : [],
          )
          .sort((a, b) => a - b);
        const statistics = groupStatistics(series, question.max_points);
        return [{ name, tag, series: members.length, points, open_ends, ...statistics }];
      }),
    );
  }
}

async function keptSeries(file: SnapshotFile): Promise<ReadonlyMap<string, Kept>> {
  const kept = new Map<string, Kept>();
  for (const { bytes, smoothing } of await file.scalars())
    for (const series of seriesOfArrow(bytes).series)
      kept.set(keyOf(series.train_id, series.tag), {
        series,
        isReduced: series.step.length < (series.inRange ?? 0),
        smoothing,
      });
  return kept;
}

function selected(kept: Kept, question: ScalarQuestion, x: Kept | undefined): ScalarUpdate {
  const { series } = kept;
  let rows = rowsInRange(series, question);
  let places: ReadonlyMap<number, number> | null = null;
  let withoutX = 0;
  if (question.xTag !== undefined) {
    places = placesOf(rows, series.step, x?.series);
    withoutX = rows.length - places.size;
    rows = alongX([...places], question);
  }
  const inRange = rows.length;
  const value = Float64Array.from(rows, (at) => series.value[at] ?? NaN);
  rows = minmax(value, question.maxPoints).map((at) => rows[at] ?? 0);
  const column = (of: Float64Array): Float64Array => Float64Array.from(rows, (at) => of[at] ?? NaN);
  return {
    train_id: series.train_id,
    tag: series.tag,
    total: series.total,
    superseded: series.superseded,
    ...(series.writers && { writers: series.writers }),
    reset: true,
    truncate_from_step: null,
    step: column(series.step),
    wall_time: column(series.wall_time),
    value: column(series.value),
    ...(question.smoothing && { smoothed: column(smoothedOf(kept, question.smoothing)) }),
    ...(places && { x: Float64Array.from(rows, (at) => places.get(at) ?? NaN), withoutX }),
    ...(kept.isReduced && { held: series.step.length }),
    inRange: kept.isReduced && isWhole(question) ? (series.inRange ?? inRange) : inRange,
  };
}

const isWhole = ({ startStep, endStep, startTime, endTime, xTag }: ScalarQuestion): boolean =>
  [startStep, endStep, startTime, endTime, xTag].every((bound) => bound === undefined);

function rowsInRange(series: ScalarUpdate, question: ScalarQuestion): number[] {
  const { startStep = -Infinity, endStep = Infinity } = question;
  const isTimed = question.startTime !== undefined || question.endTime !== undefined;
  const { startTime = -Infinity, endTime = Infinity } = question;
  return Array.from(series.step.keys()).filter((at) => {
    const [step, time] = [series.step[at] ?? NaN, series.wall_time[at] ?? NaN];
    // A point without a time (NaN) is in no range of times.
    return (
      step >= startStep && step <= endStep && (!isTimed || (time >= startTime && time <= endTime))
    );
  });
}

/** Row -> the finite value of the other series at its step. */
function placesOf(
  rows: readonly number[],
  step: Float64Array,
  x: ScalarUpdate | undefined,
): ReadonlyMap<number, number> {
  const values = new Map<number, number>();
  x?.step.forEach((at, i) => values.set(at, x.value[i] ?? NaN));
  return new Map(
    rows.flatMap((row) => {
      const place = values.get(step[row] ?? NaN);
      return place !== undefined && Number.isFinite(place) ? [[row, place] as const] : [];
    }),
  );
}

/** The rows in the visible range, from left to right. */
function alongX(
  places: readonly (readonly [row: number, x: number])[],
  { startX = -Infinity, endX = Infinity }: ScalarQuestion,
): number[] {
  return places
    .filter(([, x]) => x >= startX && x <= endX)
    .sort(([, a], [, b]) => a - b)
    .map(([row]) => row);
}

/** The smoothed values of all points. */
function smoothedOf({ series, smoothing }: Kept, wanted: string): Float64Array {
  return series.smoothed && smoothing === wanted
    ? series.smoothed
    : smoothed(series.step, series.value, wanted);
}
