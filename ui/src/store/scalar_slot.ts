import type { ScalarSeries } from '@/api/scalars';

import { noAside, type AsidePoints } from './aside_points';
import { isReduced, windowBounds, windowName, type Window } from './scalar_windows';

/** One series: `whole` covers all steps, `detail` the last window. */
export interface Slot extends AsidePoints {
  whole: ScalarSeries | null;
  detail: ScalarSeries | null;
  detailOf: string;
  wholeSmoothing: string;
  detailSmoothing: string;
  /** Whether the server has answered, if only that there is no such series. */
  answered: boolean;
}

export const emptySlot = (): Slot => ({
  whole: null,
  detail: null,
  detailOf: '',
  wholeSmoothing: '',
  detailSmoothing: '',
  answered: false,
  ...noAside(),
});

export const detailOf = (slot: Slot, window: string): ScalarSeries | null =>
  slot.detailOf === window ? slot.detail : null;

/** Whether what is here was requested with other settings. */
export function isOlder(slot: Slot, window: Window, smoothing: string): boolean {
  const { whole } = slot;
  if (!whole) return false;
  if (slot.wholeSmoothing !== smoothing) return true;
  if (window === null || !isReduced(whole)) return false;
  const isKnown = slot.detailOf === windowName(window) && slot.detailSmoothing === smoothing;
  return !isKnown && windowBounds(window, whole.wall_time[0] ?? null) !== null;
}
