import { describe, expect, test } from 'vitest';

import type { ScalarSeries } from '@/api/scalars';
import { isReduced } from '@/store/scalar_windows';

import { lineOf, withEvents, type LineOptions, type LineSource } from './lines';

const style = { id: './a', label: 'a', color: '#000', dash: [] };
const options: LineOptions = {
  xAxis: 'step',
  nanLabel: (step) => `NaN ${step}`,
  infiniteLabel: (step) => `infinite ${step}`,
  restartLabel: (step) => `restart ${step}`,
};
const series = (
  steps: number[],
  values: number[] = steps,
  more: Partial<ScalarSeries> = {},
): ScalarSeries => ({
  train_id: './a',
  tag: 'loss',
  step: Float64Array.from(steps),
  wall_time: Float64Array.from(steps, (step) => 100 + 2 * step),
  value: Float64Array.from(values),
  total: steps.length,
  superseded: 0,
  ...more,
});
const source = (whole: ScalarSeries, more: Partial<LineSource> = {}): LineSource => ({
  whole,
  detail: null,
  series: whole,
  window: false,
  reduced: false,
  restarts: [],
  aside: [],
  ...more,
});

test('a fully known series is drawn unchanged', () => {
  const whole = series([0, 1, 2], [5, 3, 4]);
  const line = lineOf(source(whole), style, options);
  expect(line.x).toBe(whole.step);
  expect(line.y).toBe(whole.value);
  expect(line).toMatchObject({ raw: null, band: null, marks: [] });
});

describe('the x axis', () => {
  test('is relative to the first point, or wall time', () => {
    expect([...lineOf(source(series([1, 3])), style, { ...options, xAxis: 'relative' }).x]).toEqual(
      [0, 4],
    );
    expect([...lineOf(source(series([1, 3])), style, { ...options, xAxis: 'wall' }).x]).toEqual([
      102, 106,
    ]);
  });

  test('never decreases, even if clocks do', () => {
    const whole = series([1, 2, 3, 4], [1, 2, 3, 4], {
      wall_time: Float64Array.of(10, 30, NaN, 20),
    });
    const line = lineOf(source(whole), style, { ...options, xAxis: 'wall' });
    expect([...line.x]).toEqual([10, 20, 30]);
    expect([...line.step]).toEqual([1, 4, 2]);
  });
});

describe('with another scalar as the x axis', () => {
  const byValue = { ...options, xAxis: 'value' as const };
  const placed = series([7, 3, 5], [12, 10, 11], {
    x: Float64Array.of(-1, 2, 2.5),
    inRange: 3,
    total: 9,
    withoutX: 6,
  });

  test('points are placed at the positions computed by the server', () => {
    const line = lineOf(source(placed), style, byValue);
    expect([[...line.x], [...line.y], [...line.step]]).toEqual([
      [-1, 2, 2.5],
      [12, 10, 11],
      [7, 3, 5],
    ]);
  });

  test('points without a position are not counted as missing', () => {
    expect(isReduced(placed)).toBe(false);
    expect(isReduced({ ...placed, inRange: 4 })).toBe(true);
  });

  test('the edges of a window are values of that scalar', () => {
    const detail = series([4], [10.5], { x: Float64Array.of(2.2), inRange: 1 });
    const line = lineOf(source(placed, { detail, series: detail, window: true }), style, byValue);
    expect([[...line.x], [...line.y]]).toEqual([
      [2, 2.2, 2.5],
      [10, 10.5, 11],
    ]);
  });

  test('a series loaded for another axis has no positions yet', () => {
    expect(lineOf(source(series([0, 1])), style, byValue).x).toHaveLength(0);
  });
});

describe('a reduced series', () => {
  const steps = Array.from({ length: 100 }, (_, i) => i * 10);
  const whole = series(
    steps,
    steps.map((step) => (step === 370 ? 1e6 : step)),
    { total: 5_000 },
  );

  test('is recognized by its total', () => {
    expect(isReduced(whole)).toBe(true);
    expect(isReduced(series([1, 2], [1, 2], { total: 9, superseded: 7 }))).toBe(false);
  });

  test('keeps its extremes in the band, with few vertices', () => {
    const line = lineOf(source(whole, { reduced: true }), style, options);
    expect(Math.max(...(line.band?.high ?? []))).toBe(1e6);
    expect(line.x.length).toBeLessThan(30);
    expect([line.x[0], line.x[line.x.length - 1]]).toEqual([0, 990]);
  });
});

test('smoothing keeps the raw values in the background', () => {
  const line = lineOf(
    source(series([0, 1, 2], [0, 10, 0], { smoothed: Float64Array.of(0, 7, 3) })),
    style,
    options,
  );
  expect([...(line.raw ?? [])]).toEqual([0, 10, 0]);
  expect([...line.y]).toEqual([0, 7, 3]);
});

test('a window includes the points next to it, so lines do not begin at its edge', () => {
  const whole = series([0, 10, 20, 30, 40]);
  const detail = series([11, 12, 13]);
  const line = lineOf(source(whole, { detail, series: detail, window: true }), style, options);
  expect([...line.x]).toEqual([10, 11, 12, 13, 20]);
});

test('marks are at the first of several NaN and at restarts', () => {
  const whole = series([0, 10, 20, 30], [1, NaN, NaN, 2]);
  const { marks } = lineOf(source(whole, { restarts: [25] }), style, options);
  expect(marks).toEqual([
    { x: 10, kind: 'nan', label: 'NaN 10' },
    { x: 25, kind: 'restart', label: 'restart 25' },
  ]);
});

test('a restart before a window has no mark in it; over another scalar it is at its own point', () => {
  expect(lineOf(source(series([20, 30]), { restarts: [10] }), style, options).marks).toEqual([]);
  const placed = { ...series([30, 20, 10, 0], [3, 2, 1, 0]), x: Float64Array.of(3, 5, 7, 9) };
  const { marks } = lineOf(source(placed, { restarts: [15] }), style, {
    ...options,
    xAxis: 'value',
  });
  expect(marks).toEqual([{ x: 5, kind: 'restart', label: 'restart 15' }]);
});

test('points set aside are drawn apart from the line, on axes of steps or times', () => {
  const piece = {
    reason: 'stray',
    writer: null,
    count: 2,
    step: Float64Array.of(0, 1),
    wall_time: Float64Array.of(90, 80),
    value: Float64Array.of(5, 6),
  } as const;
  const of = (more: Partial<LineOptions>) =>
    lineOf(source(series([20, 30]), { aside: [piece] }), style, { ...options, ...more }).aside;
  expect(of({})).toEqual([{ x: Float64Array.of(0, 1), y: Float64Array.of(5, 6) }]);
  expect(of({ xAxis: 'wall' })).toEqual([{ x: Float64Array.of(80, 90), y: Float64Array.of(6, 5) }]);
  expect(of({ xAxis: 'value' })).toEqual([]);
  expect(lineOf(source(series([20, 30])), style, options).aside).toBeUndefined();
});

test('events of rules have marks at their step, or at the next point of another axis', () => {
  const line = lineOf(source(series([0, 10, 20])), style, options);
  const events = [{ step: 10, label: 'spike' }];
  expect(withEvents(line, events, 'step').marks).toEqual([
    { x: 10, kind: 'event', label: 'spike' },
  ]);
  expect(withEvents(line, events, 'relative').marks[0]?.x).toBe(line.x[1]);
  expect(withEvents(line, [], 'step')).toBe(line);
});
