import type { Series } from '@/api/series';
import { formatTick } from '@/base/format';

export type CurveKind = 'pr_curve' | 'roc_curve';

/** Of both axes. */
export const CURVE_TICKS = [0, 0.25, 0.5, 0.75, 1].map((at) => ({
  at,
  label: formatTick(at, 0.25),
}));

/** Lists by threshold, one per step. */
export interface CurveSeries extends Series {
  readonly thresholds: readonly (readonly number[] | null)[];
  readonly true_positives: readonly (readonly number[] | null)[];
  readonly false_positives: readonly (readonly number[] | null)[];
  readonly true_negatives: readonly (readonly number[] | null)[];
  readonly false_negatives: readonly (readonly number[] | null)[];
  readonly precision?: readonly (readonly number[] | null)[];
  readonly recall?: readonly (readonly number[] | null)[];
  readonly true_positive_rate?: readonly (readonly number[] | null)[];
  readonly false_positive_rate?: readonly (readonly number[] | null)[];
  readonly average_precision?: readonly (number | null)[];
  readonly area?: readonly (number | null)[];
}

export interface CurvePoint {
  readonly x: number;
  readonly y: number;
  readonly threshold: number;
  readonly tp: number;
  readonly fp: number;
  readonly tn: number;
  readonly fn: number;
}

/** One run's curve, as drawn. */
export interface ShownCurve {
  readonly trainId: string;
  readonly name: string;
  readonly color: string;
  readonly points: readonly CurvePoint[];
}

/** The curve of a step, without non-finite points; empty if it is damaged. */
export function pointsOf(series: CurveSeries, row: number, kind: CurveKind): CurvePoint[] {
  const x = (kind === 'pr_curve' ? series.recall : series.false_positive_rate)?.[row];
  const y = (kind === 'pr_curve' ? series.precision : series.true_positive_rate)?.[row];
  const at = (list: readonly (readonly number[] | null)[], i: number): number =>
    list[row]?.[i] ?? NaN;
  return (series.thresholds[row] ?? []).flatMap((threshold, i) => {
    const [left = NaN, up = NaN] = [x?.[i], y?.[i]];
    if (!Number.isFinite(left) || !Number.isFinite(up)) return [];
    return [
      {
        x: left,
        y: up,
        threshold,
        tp: at(series.true_positives, i),
        fp: at(series.false_positives, i),
        tn: at(series.true_negatives, i),
        fn: at(series.false_negatives, i),
      },
    ];
  });
}

/** Average precision or area under the curve of each step; NaN: damaged. */
export function areasOf(series: CurveSeries, kind: CurveKind): Float64Array {
  const areas = kind === 'pr_curve' ? series.average_precision : series.area;
  return Float64Array.from(series.step, (_, row) => areas?.[row] ?? NaN);
}
