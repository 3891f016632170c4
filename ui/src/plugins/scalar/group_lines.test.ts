import { expect, test } from 'vitest';

import { groupLine, groupsOf, type GroupOptions } from './group_lines';

const group = {
  name: 'adam',
  tag: 'loss',
  series: 3,
  points: 9,
  open_ends: [] as number[],
  x: Float64Array.of(0, 1),
  n: Float64Array.of(3, 1),
  mean: Float64Array.of(5, 4),
  median: Float64Array.of(4, 4),
  min: Float64Array.of(1, 4),
  max: Float64Array.of(9, 4),
  std: Float64Array.of(2, NaN),
  confidence: Float64Array.of(5, NaN),
};
const options = (more: Partial<GroupOptions> = {}): GroupOptions => ({
  xAxis: 'step',
  centre: 'mean',
  spread: 'std',
  countLabel: (...about) => about.join(' '),
  ...more,
});
const style = { id: 'adam', label: 'adam', color: '#000', dash: [] };

test.each([
  ['std', [3, 4], [7, 4]],
  ['confidence', [0, 4], [10, 4]],
  ['range', [1, 4], [9, 4]],
] as const)('the band is the %s', (spread, low, high) => {
  const { band, y, count } = groupLine(group, style, options({ spread }));
  expect([[...(band?.low ?? [])], [...(band?.high ?? [])], [...y]]).toEqual([low, high, [5, 4]]);
  expect([...(count as Float64Array)]).toEqual([3, 1]);
});

test('draws the median without a band on request', () => {
  const line = groupLine(
    group,
    style,
    options({ xAxis: 'relative', centre: 'median', spread: 'none' }),
  );
  expect([[...line.y], line.band, [...line.wallTime]]).toEqual([[4, 4], null, [0, 1]]);
});

/** A group whose numbers of runs are `n`, at steps 10, 20, ... */
function counted(series: number, ...n: number[]): typeof group {
  const column = Float64Array.from(n, (_, i) => 10 * (i + 1));
  const columns = ['x', 'mean', 'median', 'min', 'max', 'std', 'confidence'] as const;
  const same = Object.fromEntries(columns.map((name) => [name, column]));
  return { ...group, ...same, series, n: Float64Array.from(n) };
}

const changes = (of: typeof group) => groupLine(of, style, options());

test('a mark says where the number of runs changes', () => {
  expect(changes(counted(4, 4, 4, 3, 3, 4)).marks.map((mark) => ({ ...mark }))).toEqual([
    { x: 30, kind: 'fewer', note: 'n=3', label: '3 -1 20 30' },
    { x: 50, kind: 'more', note: 'n=4', label: '4 1 40 50' },
  ]);
  expect(changes(counted(4, 4, 4, 4)).marks).toEqual([]);
});

test('runs without a value at the first point are marked there', () => {
  expect(changes(counted(4, 3, 3)).marks.map((mark) => ({ ...mark }))).toEqual([
    { x: 10, kind: 'fewer', note: 'n=3', label: '3 -1 -Infinity 10' },
  ]);
});

test('runs that may log more are not marked where they end for now', () => {
  const growing = { ...counted(4, 4, 4, 3, 1), open_ends: [20, 30] };
  expect(changes(growing).marks.map((mark) => ({ ...mark }))).toEqual([
    { x: 40, kind: 'fewer', note: 'n=1', label: '1 -1 30 40' },
  ]);
  // The mean is of other runs nevertheless.
  expect(changes(growing).breaks).toEqual([2, 3]);
});

test('the line is broken where the mean is of other runs, if these are many of it', () => {
  expect(changes(counted(5, 4, 4, 3, 3, 4)).breaks).toEqual([2, 4]);
  expect(changes(counted(30, 30, 29, 20, 19)).breaks).toEqual([2]);
});

test('runs are grouped by the name of their group', () => {
  const jobs = [
    { train_id: 'a', lr: 0.1 },
    { train_id: 'b', lr: null },
    { train_id: 'c', lr: 0.1 },
  ];
  expect(groupsOf(jobs, ({ lr }) => String(lr ?? ''))).toEqual({ 0.1: ['a', 'c'], '': ['b'] });
});
