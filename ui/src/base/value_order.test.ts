import { expect, test } from 'vitest';

import type { Value } from './job_query';
import { compareValues, presentValue } from './value_order';

test('numbers are sorted by size, before texts, which are in natural order', () => {
  const values: Value[] = ['run_10', 3, 'run_9', -1, 'Run_1', 10, true];
  expect(values.sort(compareValues)).toEqual([-1, 3, 10, 'Run_1', 'run_9', 'run_10', true]);
});

test('null, empty text and NaN count as missing; zero and false do not', () => {
  expect(([null, undefined, '', NaN, 0, false, Infinity] as Value[]).map(presentValue)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    0,
    false,
    Infinity,
  ]);
});
