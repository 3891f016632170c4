import { expect, test } from 'vitest';

import { nextStop, stopsOf } from './event_walk';

const place = (step: number): { step: number; window: readonly [number, number] } => ({
  step,
  window: [step - 5, step + 5],
});
const stops = stopsOf([place(30), place(10), place(10), place(20)]);

test('events stop once per step, in order', () => {
  expect(stops.map(({ step }) => step)).toEqual([10, 20, 30]);
  expect(stops[0]?.window).toEqual([5, 15]);
});

test('next and previous go around', () => {
  const walked = (from: number | null, by: 1 | -1): number | undefined =>
    nextStop(stops, from, by)?.step;
  expect([walked(null, 1), walked(10, 1), walked(30, 1)]).toEqual([10, 20, 10]);
  expect([walked(null, -1), walked(30, -1), walked(10, -1)]).toEqual([30, 20, 30]);
  expect(nextStop([], null, 1)).toBeNull();
});
