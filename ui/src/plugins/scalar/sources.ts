import type { ScalarSeries } from '@/api/scalars';
import { pick } from '@/charts/envelope';
import type { Slot } from '@/store/scalar_slot';
import { isReduced, windowBounds, windowName, type Window } from '@/store/scalar_windows';

import type { LineSource } from './lines';

/** The window's points, or the whole series until they are loaded. */
export function sourceOf(slot: Slot | undefined, window: Window): LineSource | null {
  const whole = slot?.whole ?? slot?.detail;
  if (!slot || !whole) return null;
  const { restarts, aside } = slot;
  const reduced = isReduced(whole);
  // A complete series needs no request for a window.
  const detail =
    window === null ? null : reduced ? detailOf(slot, window) : pointsIn(whole, window);
  if (!detail)
    return { whole, detail: null, series: whole, window: false, reduced, restarts, aside };
  return {
    whole,
    detail,
    restarts,
    aside,
    series: detail,
    window: true,
    reduced: detail.inRange === undefined ? reduced : detail.step.length < detail.inRange,
  };
}

export interface KnownSource {
  /** What the source was made of. */
  readonly of: readonly unknown[];
  readonly source: LineSource | null;
}

/**
 * The source of a slot; the same object as before while nothing of it has changed. While a window is
 * panned, that of the whole series is kept beside the window's.
 */
export function knownSource(
  sources: Map<string, KnownSource>,
  name: string,
  slot: Slot | undefined,
  window: Window,
): LineSource | null {
  const whole = slot?.whole ?? slot?.detail;
  const isReducedWhole = whole && isReduced(whole);
  const detail = slot && window && isReducedWhole ? detailOf(slot, window) : null;
  const of = [whole, isReducedWhole ? detail : window, slot?.restarts, slot?.aside];
  const key = detail ? `${name}\0` : name;
  const known = sources.get(key);
  if (known?.of.every((part, i) => part === of[i])) return known.source;
  const source = sourceOf(slot, window);
  sources.set(key, { of, source });
  return source;
}

function detailOf(slot: Slot, window: Window): ScalarSeries | null {
  return slot.detailOf === windowName(window) ? slot.detail : null;
}

function pointsIn(series: ScalarSeries, window: Window): ScalarSeries | null {
  const bounds = windowBounds(window, series.wall_time[0] ?? null);
  if (bounds === null) return null;
  const { startStep, endStep, startTime, endTime, startX, endX } = bounds;
  const taken =
    startX !== undefined
      ? taking(series.x, startX, endX)
      : startStep !== undefined
        ? taking(series.step, startStep, endStep)
        : taking(series.wall_time, startTime, endTime);
  const step = taken(series.step);
  return {
    ...series,
    step,
    wall_time: taken(series.wall_time),
    value: taken(series.value),
    ...(series.smoothed && { smoothed: taken(series.smoothed) }),
    ...(series.x && { x: taken(series.x) }),
    inRange: step.length,
  };
}

/** Rows within the bounds. Usually they are contiguous and no copy is made. */
function taking(
  bounded: Float64Array = new Float64Array(),
  from = -Infinity,
  to = Infinity,
): (column: Float64Array) => Float64Array {
  const rows = new Int32Array(bounded.length);
  let count = 0;
  for (let row = 0; row < bounded.length; row++) {
    const at = bounded[row] ?? NaN;
    if (at >= from && at <= to) rows[count++] = row;
  }
  const first = rows[0] ?? 0;
  if (count === 0 || (rows[count - 1] ?? 0) === first + count - 1)
    return (column) => column.subarray(first, first + count);
  return (column) => pick(column, rows.subarray(0, count));
}
