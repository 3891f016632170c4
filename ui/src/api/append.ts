import type { ScalarSeries, ScalarUpdate } from './scalars';

/** A series with its update: replaced on a reset, else truncated and appended to. */
export function applyUpdate(before: ScalarSeries | undefined, update: ScalarUpdate): ScalarSeries {
  if (!before || update.reset) return update;
  const facts = {
    total: update.total,
    superseded: update.superseded,
    ...(update.writers && { writers: update.writers }),
  };
  const from = update.truncate_from_step;
  let kept = before.step.length;
  while (from !== null && kept > 0 && (before.step[kept - 1] ?? 0) >= from) kept--;
  if (kept === before.step.length && update.step.length === 0) {
    return { ...before, ...facts };
  }
  return {
    train_id: update.train_id,
    tag: update.tag,
    step: joined(before.step, kept, update.step),
    wall_time: joined(before.wall_time, kept, update.wall_time),
    value: joined(before.value, kept, update.value),
    ...(before.smoothed &&
      update.smoothed && { smoothed: joined(before.smoothed, kept, update.smoothed) }),
    ...facts,
    ...(before.inRange !== undefined && {
      inRange: before.inRange - (before.step.length - kept) + update.step.length,
    }),
  };
}

function joined(head: Float64Array, kept: number, tail: Float64Array): Float64Array {
  const column = new Float64Array(kept + tail.length);
  column.set(head.subarray(0, kept));
  column.set(tail, kept);
  return column;
}
