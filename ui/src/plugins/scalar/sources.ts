import type { Slot } from '@/store/scalar_cache';
import { windowName, type Window } from '@/store/scalar_windows';

import { isReduced, type LineSource } from './lines';

/** What of a series is to be drawn: the window's points, or the whole until they are in. */
export function sourceOf(slot: Slot | undefined, window: Window): LineSource | null {
  const whole = slot?.whole ?? slot?.detail;
  if (!slot || !whole) return null;
  const detail = window !== null && slot.detailOf === windowName(window) ? slot.detail : null;
  const { restarts } = slot;
  if (!detail) {
    return { whole, detail: null, series: whole, window: false, reduced: isReduced(whole), restarts };
  }
  return {
    whole,
    detail,
    restarts,
    series: detail,
    window: true,
    reduced: detail.inRange === undefined ? isReduced(whole) : detail.step.length < detail.inRange,
  };
}
