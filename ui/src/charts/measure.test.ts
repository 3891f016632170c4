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
