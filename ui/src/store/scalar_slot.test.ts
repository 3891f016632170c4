import { expect, test } from 'vitest';

import type { ScalarSeries } from '@/api/scalars';

import { emptySlot, isOlder } from './scalar_slot';

const whole = (total: number): ScalarSeries => ({
  train_id: './a',
  tag: 'loss',
  step: Float64Array.of(0, 1, 2),
  wall_time: Float64Array.of(5, 6, 7),
  value: Float64Array.of(1, 2, 3),
  total,
  superseded: 0,
});
const window = { axis: 'step', from: 0, to: 1 } as const;

test('a series is older than another smoothing', () => {
  const slot = { ...emptySlot(), whole: whole(3), wholeSmoothing: 'twema:0.6' };
  expect(isOlder(slot, null, 'twema:0.6')).toBe(false);
  expect(isOlder(slot, null, 'twema:0.9')).toBe(true);
});

test('a reduced series is older than a window until its points are there', () => {
  const slot = { ...emptySlot(), whole: whole(300) };
  expect(isOlder(slot, window, '')).toBe(true);
  expect(isOlder({ ...slot, detailOf: 'step:0:1' }, window, '')).toBe(false);
  expect(isOlder({ ...slot, whole: whole(3) }, window, '')).toBe(false);
  expect(isOlder({ ...slot, detailOf: 'step:0:1', detailSmoothing: 'mean:2' }, window, '')).toBe(
    true,
  );
});
