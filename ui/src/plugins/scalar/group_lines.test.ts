import { expect, test } from 'vitest';

import { allBut, fieldLeftOut, groupLine, groupsOf, settingsBut } from './group_lines';

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

test('jobs are grouped by the text of a field', () => {
  const jobs = [
    { train_id: 'a', lr: 0.1 },
    { train_id: 'b', lr: null },
    { train_id: 'c', lr: 0.1 },
  ];
  expect(groupsOf(jobs, ({ lr }) => lr)).toEqual({ 0.1: ['a', 'c'], '': ['b'] });
  expect(groupsOf(jobs, null)).toEqual({ '': ['a', 'b', 'c'] });
});

test('jobs with equal settings except one have the same name', () => {
  const jobs = [
    {
      optimizer: 'adam',
      'user_defined/seed': 1,
      'user_defined/lr': 0.1,
      network: 'a',
      loss: 1,
      epoch: 1,
    },
    {
      optimizer: 'adam',
      'user_defined/seed': 2,
      'user_defined/lr': 0.1,
      network: 'a',
      loss: 2,
      epoch: 2,
    },
    {
      optimizer: 'sgd',
      'user_defined/seed': 1,
      'user_defined/lr': null,
      network: 'a',
      loss: 3,
      epoch: 1,
    },
  ];
  type Job = (typeof jobs)[number];
  const short = (name: string): string => name.replace('user_defined/', '');
  const nameOf = settingsBut(
    'user_defined/seed',
    Object.keys(jobs[0] ?? {}),
    jobs,
    (name) => (job: Job) => job[name as keyof Job],
    short,
  );
  expect(jobs.map(nameOf)).toEqual([
    'optimizer adam, lr 0.1',
    'optimizer adam, lr 0.1',
    'optimizer sgd, lr –',
  ]);
  expect(fieldLeftOut(allBut('user_defined/seed'))).toBe('user_defined/seed');
  expect([fieldLeftOut('*'), fieldLeftOut('optimizer')]).toEqual([null, null]);
});
