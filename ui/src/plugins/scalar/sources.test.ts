import { describe, expect, test } from 'vitest';

import type { ScalarSeries } from '@/api/scalars';
import { emptySlot, type Slot } from '@/store/scalar_slot';

import { knownSource, sourceOf, type KnownSource } from './sources';

const series = (steps: number[], more: Partial<ScalarSeries> = {}): ScalarSeries => ({
  train_id: './a',
  tag: 'loss',
  total: steps.length,
  superseded: 0,
  step: Float64Array.from(steps),
  wall_time: Float64Array.from(steps, (step) => 100 + 2 * step),
  value: Float64Array.from(steps, (step) => -step),
  ...more,
});
const slot = (whole: ScalarSeries, more: Partial<Slot> = {}): Slot => ({
  ...emptySlot(),
  whole,
  ...more,
});

describe('for a fully known series', () => {
  test.each([
    ['in order', [0, 2, 4, 5, 9], [2, 4, 5]],
    ['out of order', [4, 9, 2, 0, 5], [4, 2, 5]],
    ['all outside', [0, 1, 9], []],
    ['none', [], []],
  ])('a window shows the points within it: %s', (_, steps, within) => {
    const found = sourceOf(slot(series(steps)), { axis: 'step', from: 2, to: 5 });
    expect([...(found?.series.step ?? [])]).toEqual(within);
    expect([...(found?.series.value ?? [])].map((value) => -value)).toEqual(within);
    expect(found).toMatchObject({
      window: true,
      reduced: false,
      detail: { inRange: within.length },
    });
  });

  test.each([
    ['wall', 104, 106],
    ['relative', 4, 6],
    ['value', 20, 30],
  ] as const)('a window of the %s axis is of its column', (axis, from, to) => {
    const whole = series([0, 1, 2, 3, 4], { x: Float64Array.of(0, 10, 20, 30, NaN) });
    expect([...(sourceOf(slot(whole), { axis, from, to })?.series.step ?? [])]).toEqual([2, 3]);
  });
});

test('a window of a reduced series shows its own answer, the full series until then', () => {
  const whole = series([0, 50, 99], { total: 100 });
  const detail = series([50, 51], { inRange: 2, total: 100 });
  const window = { axis: 'step', from: 50, to: 51 } as const;
  expect(sourceOf(slot(whole), window)).toMatchObject({
    series: whole,
    window: false,
    reduced: true,
  });
  expect(sourceOf(slot(whole, { detail, detailOf: 'step:50:51' }), window)).toMatchObject({
    series: detail,
    window: true,
    reduced: false,
  });
});

test('a source stays the same object until its slot or window changes', () => {
  const known = new Map<string, KnownSource>();
  const whole = series([0, 1, 2]);
  const one = slot(whole);
  const first = knownSource(known, 'a', one, null);
  expect(knownSource(known, 'a', one, null)).toBe(first);
  one.whole = series([0, 1, 2, 3]);
  const grown = knownSource(known, 'a', one, null);
  expect(grown?.series.step.length).toBe(4);
  expect(knownSource(known, 'a', one, { axis: 'step', from: 0, to: 1 })?.window).toBe(true);
});

test('windows without an answer share the source of a reduced series, before and after one', () => {
  const known = new Map<string, KnownSource>();
  const window = { axis: 'step', from: 50, to: 51 } as const;
  const one = slot(series([0, 50, 99], { total: 100 }));
  const whole = knownSource(known, 'a', one, null);
  expect(knownSource(known, 'a', one, window)).toBe(whole);
  one.detail = series([50, 51], { inRange: 2, total: 100 });
  one.detailOf = 'step:50:51';
  const detail = knownSource(known, 'a', one, window);
  expect(detail?.series).toBe(one.detail);
  expect(knownSource(known, 'a', one, { ...window, to: 60 })).toBe(whole);
  expect(knownSource(known, 'a', one, window)).toBe(detail);
});
