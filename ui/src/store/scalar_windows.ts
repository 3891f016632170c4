import type { ScalarQuestion, ScalarSeries } from '@/api/scalars';

/** The visible part of the x axis. Relative windows depend on each job's start. */
export type Window = {
  readonly axis: 'step' | 'wall' | 'relative' | 'value';
  readonly from: number;
  readonly to: number;
} | null;

export const windowName = (window: Window): string =>
  window === null ? '' : `${window.axis}:${window.from}:${window.to}`;

type Bounds = Pick<
  ScalarQuestion,
  'startStep' | 'endStep' | 'startTime' | 'endTime' | 'startX' | 'endX'
>;

/** The range to request for a window. `origin` is the job's first wall time, null if unknown. */
export function windowBounds(window: Window, origin: number | null): Bounds | null {
  if (window === null) return {};
  switch (window.axis) {
    case 'step':
      return { startStep: Math.floor(window.from), endStep: Math.ceil(window.to) };
    case 'value':
      return { startX: window.from, endX: window.to };
    case 'wall':
      return { startTime: window.from, endTime: window.to };
    case 'relative':
      return origin === null
        ? null
        : { startTime: origin + window.from, endTime: origin + window.to };
  }
}

/** Points that count and have an x. */
export const drawable = (series: ScalarSeries): number =>
  series.x ? (series.inRange ?? series.x.length) : series.total - series.superseded;

export const isReduced = (series: ScalarSeries): boolean => series.step.length < drawable(series);
