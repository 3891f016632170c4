import { expect, test } from 'vitest';

import type { SeriesParity } from './api';
import { exactText, parityRow, rulesOf } from './parity_rows';

const EQUAL: SeriesParity = {
  common_steps: 2000,
  different_steps: 0,
  first: null,
  largest_absolute: null,
  largest_relative: null,
  non_finite_steps: 0,
  missing_a: { count: 0, ranges: [] },
  missing_b: { count: 0, ranges: [] },
  window: null,
  uncompared_steps: 0,
};

test('a different tag has the first step, both values and the largest differences', () => {
  const row = parityRow({
    plugin_name: 'scalar',
    tag: 'train/loss',
    tag_b: 'loss',
    status: 'different',
    series: {
      ...EQUAL,
      different_steps: 3,
      first: { step: 1500, a: Math.fround(0.1), b: Math.fround(0.10000001), index: [] },
      largest_absolute: { size: 0.25, step: 1600 },
      largest_relative: { size: 1e-7, step: 1500 },
      window: [1475, 1525],
    },
  });
  expect(row).toMatchObject({
    name: 'train/loss → loss',
    step: '1,500',
    a: '0.1',
    b: '0.10000001',
    absolute: '0.25',
    absoluteStep: '1,600',
    relative: '1e-7',
    different: '3 / 2,000',
    place: { tags: ['train/loss', 'loss'], window: [1475, 1525] },
  });
});

test('a float64 and a float32 that print alike are told apart', () => {
  const first = { step: 0, a: 0.1, b: Math.fround(0.1), index: [] };
  const series = { ...EQUAL, different_steps: 1, first };
  const { a, b } = parityRow({
    plugin_name: 'scalar',
    tag: 'x',
    tag_b: 'x',
    status: 'different',
    series,
  });
  expect([a, b]).toEqual(['0.1', '0.10000000149011612']);
});

test('missing steps are ranges, and may be the first difference', () => {
  const series: SeriesParity = {
    ...EQUAL,
    missing_a: { count: 1, ranges: [[45, 45]] },
    missing_b: {
      count: 2000,
      ranges: [
        [10, 30],
        [50, 80],
        [90, 90],
      ],
    },
  };
  const row = parityRow({
    plugin_name: 'scalar',
    tag: 'x',
    tag_b: 'x',
    status: 'different',
    series,
  });
  expect([row.step, row.a, row.b]).toEqual(['10', '', null]);
  expect([row.missingA, row.missingB]).toEqual(['1 (45)', '2,000 (10–30, 50–80, …)']);
});

test('a tag of one run has no numbers', () => {
  const row = parityRow({
    plugin_name: 'scalar',
    tag: 'x',
    tag_b: 'x',
    status: 'only_a',
    series: null,
  });
  expect([row.step, row.different, row.missingA, row.place]).toEqual(['', '', '', null]);
});

test.each([
  [NaN, 'NaN'],
  [0.1, '0.1'],
  [Math.fround(0.1), '0.1'],
  [Math.fround(1 / 3), '0.33333334'],
  [1 / 3, '0.3333333333333333'],
  [16777216, '1.6777216e7'],
  [Math.fround(0.000045833334), '4.5833334e-5'],
  [6767175000000000, '6.767175e15'],
  [5e-5, '5e-5'],
  [-0.5, '−0.5'],
  [1234.56789, '1,234.56789'],
  [1000, '1,000'],
])('%d is %s', (value, text) => {
  expect(exactText(value)).toBe(text);
});

test('rules are lines without comments', () => {
  expect(rulesOf('# port\n\n a=b \nc=d')).toEqual(['a=b', 'c=d']);
});

test('values that are no numbers are shown as described, with the place of the element', () => {
  const first = { step: 7, a: 'shape [2, 3]', b: 'NaN, or not', index: [1, 0] };
  const row = parityRow({
    plugin_name: 'tensor',
    tag: 'x',
    tag_b: 'x',
    status: 'different',
    series: { ...EQUAL, different_steps: 1, first, uncompared_steps: 1200 },
  });
  expect(row).toMatchObject({
    plugin: 'tensor',
    a: 'shape [2, 3]',
    b: 'NaN, or not',
    element: '[1, 0]',
    uncompared: '1,200',
  });
});
