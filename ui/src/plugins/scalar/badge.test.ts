import { expect, test } from 'vitest';

import type { ScalarSeries } from '@/api/scalars';

import { drawnOf } from './badge';

const series = (points: number, total: number, superseded = 0): ScalarSeries => ({
  train_id: './a',
  tag: 'loss',
  step: new Float64Array(points),
  wall_time: new Float64Array(points),
  value: new Float64Array(points),
  total,
  superseded,
});

test('counts the points of all lines; replaced ones are separate', () => {
  expect(
    drawnOf([
      { series: series(1_000, 8_412_331), window: false, aside: [] },
      { series: series(90, 100, 10), window: false, aside: [] },
    ]),
  ).toEqual({ drawn: 1_090, total: 8_412_421, aside: 10, withoutX: 0, held: 0, reduced: 0 });
});

test('counts the points of series that a snapshot reduced, zoomed or not', () => {
  const reduced = { ...series(40, 5_000, 20), held: 400, inRange: 40 };
  for (const window of [true, false])
    expect(
      drawnOf([
        { series: reduced, window, aside: [] },
        { series: series(50, 50), window, aside: [] },
      ]),
    ).toMatchObject({ held: 400, reduced: 4_980 });
});

test('counts the points of a fully drawn window', () => {
  expect(drawnOf([{ series: series(50, 9_999), window: true, aside: [] }])).toMatchObject({
    drawn: 50,
    total: 50,
  });
});

test('counts all points of a reduced window, drawn or not', () => {
  expect(
    drawnOf([{ series: { ...series(900, 9_999), inRange: 5_000 }, window: true, aside: [] }]),
  ).toMatchObject({ drawn: 900, total: 5_000 });
});

test('counts points without a position on another scalar separately', () => {
  const x = new Float64Array(80);
  const one = { ...series(80, 1_000), x, inRange: 700, withoutX: 300 };
  expect(drawnOf([{ series: one, window: false, aside: [] }])).toMatchObject({
    drawn: 80,
    total: 700,
    aside: 0,
    withoutX: 300,
  });
});

test('points of other writers count as set aside', () => {
  const piece = {
    reason: 'writer',
    writer: 'b',
    count: 70,
    step: new Float64Array(),
    wall_time: new Float64Array(),
    value: new Float64Array(),
  } as const;
  expect(
    drawnOf([
      {
        series: series(90, 100, 10),
        window: false,
        aside: [piece, { ...piece, reason: 'stray', count: 10 }],
      },
    ]),
  ).toMatchObject({ drawn: 90, total: 90, aside: 80, withoutX: 0 });
});
