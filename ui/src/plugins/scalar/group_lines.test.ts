import { expect, test } from 'vitest';

import { groupLine, groupsOf } from './group_lines';

const group = {
  name: 'adam',
  tag: 'loss',
  series: 3,
  points: 9,
  x: Float64Array.of(0, 1),
  n: Float64Array.of(3, 1),
  mean: Float64Array.of(5, 4),
  median: Float64Array.of(4, 4),
  min: Float64Array.of(1, 4),
  max: Float64Array.of(9, 4),
  std: Float64Array.of(2, NaN),
  confidence: Float64Array.of(5, NaN),
};
const style = { id: 'adam', label: 'adam', color: '#000', dash: [] };

test.each([
  ['std', [3, 4], [7, 4]],
  ['confidence', [0, 4], [10, 4]],
  ['range', [1, 4], [9, 4]],
] as const)('the band is the %s', (spread, low, high) => {
  const { band, y, count } = groupLine(group, style, { xAxis: 'step', centre: 'mean', spread });
  expect([[...(band?.low ?? [])], [...(band?.high ?? [])], [...y]]).toEqual([low, high, [5, 4]]);
  expect([...(count as Float64Array)]).toEqual([3, 1]);
});

test('draws the median without a band on request', () => {
  const line = groupLine(group, style, { xAxis: 'relative', centre: 'median', spread: 'none' });
  expect([[...line.y], line.band, [...line.wallTime]]).toEqual([[4, 4], null, [0, 1]]);
});

test('runs are grouped by the name of their group', () => {
  const jobs = [
    { train_id: 'a', lr: 0.1 },
    { train_id: 'b', lr: null },
    { train_id: 'c', lr: 0.1 },
  ];
  expect(groupsOf(jobs, ({ lr }) => String(lr ?? ''))).toEqual({ 0.1: ['a', 'c'], '': ['b'] });
});
