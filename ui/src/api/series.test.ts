import { expect, test } from 'vitest';

import { appended, fewerSteps, seriesRoute, type Series, type SeriesUpdate } from './series';

interface Buckets extends Series {
  readonly buckets: readonly string[];
  readonly non_finite?: readonly (readonly [number, string])[];
}

function series(
  step: readonly number[],
  rest: Partial<SeriesUpdate<Buckets>> = {},
): SeriesUpdate<Buckets> {
  return {
    plugin_name: 'histogram',
    train_id: './run',
    tag: 'w',
    total: step.length,
    cursor: 'c',
    step,
    wall_time: step.map((one) => one + 0.5),
    buckets: step.map((one) => `b${one}`),
    problems: [],
    details: {},
    ...rest,
  };
}

test('new rows are appended to the known ones, column by column', () => {
  const now = appended(
    series([1, 2]),
    series([3], { reset: false, truncate_from_step: null, total: 3 }),
  );
  expect(now.step).toEqual([1, 2, 3]);
  expect(now.buckets).toEqual(['b1', 'b2', 'b3']);
  expect(now.wall_time).toEqual([1.5, 2.5, 3.5]);
  expect(now.total).toBe(3);
});

test('a rewind drops the rows from its step on and their metadata', () => {
  const known = series([1, 2, 3], {
    problems: [
      { row: 0, step: 1, detail: '' },
      { row: 2, step: 3, detail: '' },
    ],
    non_finite: [
      [0, 'NaN'],
      [2, 'NaN'],
    ],
  });
  const now = appended(
    known,
    series([3, 4], { reset: false, truncate_from_step: 3, non_finite: [[1, 'Infinity']] }),
  );
  expect(now.step).toEqual([1, 2, 3, 4]);
  expect(now.problems).toEqual([{ row: 0, step: 1, detail: '' }]);
  expect(now.non_finite).toEqual([
    [0, 'NaN'],
    [3, 'Infinity'],
  ]);
});

test('a reset replaces everything', () => {
  expect(appended(series([1, 2]), series([7], { reset: true })).step).toEqual([7]);
  expect(appended(null, series([7])).step).toEqual([7]);
});

test('a name with a slash differs from a name followed by a suffix', () => {
  expect(seriesRoute('histogram')).toBe('series/histogram');
  expect(seriesRoute('ä b', 'npy')).toBe('series/%C3%A4%20b/npy');
  expect(seriesRoute('a/blob')).toBe('series/a%252Fblob');
  expect(seriesRoute('50%', 'blob')).toBe('series/50%2525/blob');
});

test('requests fewer whole steps of a series that is too large, down to one', () => {
  const asked: number[] = [];
  for (let sample = fewerSteps(null); asked.at(-1) !== sample; sample = fewerSteps(sample))
    asked.push(sample);
  expect(asked).toEqual([512, 128, 32, 8, 2, 1]);
});
