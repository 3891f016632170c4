import { expect, test } from 'vitest';

import type { Value } from '@/base/job_query';

import { readSorting, sortedBy, writeSorting } from './sorting';

const sorted = (values: Value[], desc = false): Value[] => sortedBy(values, [{ get: (value) => value, desc }]);

test('numbers are sorted by size, texts the way people count, what is missing last either way', () => {
  expect(sorted([3, null, -1, 10, NaN, 2])).toEqual([-1, 2, 3, 10, null, NaN]);
  expect(sorted([3, null, -1, 10], true)).toEqual([10, 3, -1, null]);
  expect(sorted(['run_10', '', 'run_9', 'Run_1'])).toEqual(['Run_1', 'run_9', 'run_10', '']);
});

test('the second column decides among equals, the order they came in last of all', () => {
  const rows = [{ a: 1, b: 1, n: 0 }, { a: 1, b: 2, n: 1 }, { a: 0, b: 1, n: 2 }, { a: 1, b: 2, n: 3 }];
  const keys = [{ get: (row: { a: number }) => row.a, desc: false }, { get: (row: { b: number }) => row.b, desc: true }];
  expect(sortedBy(rows, keys as { get: (row: (typeof rows)[number]) => Value; desc: boolean }[]).map((row) => row.n)).toEqual([2, 1, 3, 0]);
});

test('is written as names', () => {
  const keys = [{ id: 'loss', desc: true }, { id: 'name', desc: false }];
  expect(writeSorting(keys)).toEqual(['-loss', 'name']);
  expect(readSorting(['-loss', 'name'])).toEqual(keys);
});
