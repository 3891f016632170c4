import { expect, test } from 'vitest';

import { applyUpdate } from './append';
import type { ScalarSeries, ScalarUpdate } from './scalars';

const series = (...steps: number[]): ScalarSeries => ({
  train_id: './a',
  tag: 'loss',
  step: Float64Array.from(steps),
  wall_time: Float64Array.from(steps),
  value: Float64Array.from(steps, (step) => -step),
  total: steps.length,
  superseded: 0,
});
const update = (steps: number[], more: Partial<ScalarUpdate> = {}): ScalarUpdate => ({
  ...series(...steps),
  reset: false,
  truncate_from_step: null,
  ...more,
});

test('new points are appended', () => {
  const after = applyUpdate(series(1, 2), update([3], { total: 3 }));
  expect([...after.step]).toEqual([1, 2, 3]);
  expect([...after.value]).toEqual([-1, -2, -3]);
  expect(after.total).toBe(3);
});

test('a restart drops the points it rewrites', () => {
  const after = applyUpdate(
    series(1, 2, 3, 4),
    update([3, 4], { truncate_from_step: 3, total: 6, superseded: 2 }),
  );
  expect([...after.step]).toEqual([1, 2, 3, 4]);
  expect(after).toMatchObject({ total: 6, superseded: 2 });
});

test('a restart that has written nothing yet drops them as well', () => {
  expect([...applyUpdate(series(1, 2, 3), update([], { truncate_from_step: 2 })).step]).toEqual([
    1,
  ]);
});

test('the count of a range grows with new points, drawn or not', () => {
  const before = { ...series(1, 5, 9), inRange: 100 };
  expect(applyUpdate(before, update([10, 11])).inRange).toBe(102);
  expect(applyUpdate(before, update([9], { truncate_from_step: 9 })).inRange).toBe(100);
});

test('a reset replaces everything', () => {
  expect([...applyUpdate(series(1, 2), update([7], { reset: true })).step]).toEqual([7]);
  expect([...applyUpdate(undefined, update([7])).step]).toEqual([7]);
});

test('an empty increment leaves the columns unchanged', () => {
  const before = series(1, 2);
  expect(applyUpdate(before, update([], { total: 2 })).step).toBe(before.step);
});
