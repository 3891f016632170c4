import type { ScalarQuestion, ScalarSeries } from '@/api/scalars';

/** The part of the x axis that is looked at. Relative windows need each job's first wall time. */
export type Window = {
  readonly axis: 'step' | 'wall' | 'relative' | 'value';
  readonly from: number;
  readonly to: number;
} | null;

/** A name of a window: equal windows, equal names. */
export function windowName(window: Window): string {
  return window === null ? '' : `${window.axis}:${window.from}:${window.to}`;
}

type Bounds = Pick<
  ScalarQuestion,
  'startStep' | 'endStep' | 'startTime' | 'endTime' | 'startX' | 'endX'
>;

/**
 * What to ask for so that a window can be drawn. `origin` is the job's first wall time, which
 * relative windows count from; null where it is not known yet.
 */
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

/** Points of a whole series that could be drawn: those that count, and have a place on the x axis. */
export function drawable(series: ScalarSeries): number {
  return series.x ? (series.inRange ?? series.x.length) : series.total - series.superseded;
}

/** Whether an answer holds less than every such point: then a window may show more. */
export function isReduced(series: ScalarSeries): boolean {
  return series.step.length < drawable(series);
}
