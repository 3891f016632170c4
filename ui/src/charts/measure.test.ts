import { expect, test } from 'vitest';

import type { ChartFrame } from './line';
import { line } from './lines_for_tests';
import { measured } from './measure';

const frame: ChartFrame = { xAxis: 'step', logX: false, logY: false, zoom: null };

test('charts with lines at the same positions share axes', () => {
  const [one, other] = [line('a', [0, 10], [1, 2]), line('b', [5, 40], [-3, 1.5])];
  const [left, right] = [
    measured([one], { ...frame, beside: [other] }),
    measured([other], { ...frame, beside: [one] }),
  ];
  expect(left).toEqual(right);
  expect(left.x).toEqual([0, 40]);
  expect(measured([one], frame).x).toEqual([0, 10]);
});

test('bounds of y replace those of the data, unless nothing would be left', () => {
  const lines = [line('a', [0, 1], [1, 5])];
  const y = (low: number | null, high: number | null, logY = false): readonly number[] =>
    measured(lines, { xAxis: 'step', zoom: null, low, high, logY }).y;
  expect(y(0, 10)).toEqual([0, 10]);
  expect(y(2, null)[0]).toBe(2);
  expect(y(7, 3)).toEqual(y(null, null));
  expect(y(0, 10, true)).toEqual([y(null, null, true)[0], 10]);
});
