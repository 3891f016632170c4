import { expect, test } from 'vitest';

import { rowAt, unionOfSteps } from './steps';

test('a missing step is replaced according to the rule', () => {
  const steps = [10, 20, 30];
  expect(rowAt(steps, 20, 'exact')).toBe(1);
  expect(rowAt(steps, 24, 'exact')).toBe(-1);
  expect(rowAt(steps, 24, 'nearest')).toBe(1);
  expect(rowAt(steps, 26, 'nearest')).toBe(2);
  expect(rowAt(steps, 26, 'previous')).toBe(1);
  expect(rowAt(steps, 5, 'previous')).toBe(-1);
  expect(rowAt(steps, 99, 'previous')).toBe(2);
});

test('without a step, each series shows its newest', () => {
  expect(rowAt([10, 20], null, 'exact')).toBe(1);
  expect(rowAt([], null, 'exact')).toBe(-1);
});

test('the union of steps is sorted and without duplicates', () => {
  expect([...unionOfSteps([[1, 5, 10], [5, 7], []])]).toEqual([1, 5, 7, 10]);
});
