import { expect, test } from 'vitest';

import { differenceFrom, isChanged } from './baseline';

test('a result differs by an amount and a percentage, for better or worse', () => {
  expect(differenceFrom(0.75, 0.762, 'higher')).toEqual({
    text: '+0.012 (+1.6%)',
    isBetter: true,
  });
  expect(differenceFrom(0.5, 0.25, 'lower')).toEqual({ text: '−0.25 (−50%)', isBetter: true });
  expect(differenceFrom(0.5, 0.25, 'higher')?.isBetter).toBe(false);
  expect(differenceFrom(-2, -1, null)).toEqual({ text: '+1 (+50%)', isBetter: null });
  expect(differenceFrom(0, 3, 'lower')).toEqual({ text: '+3', isBetter: false });
  expect(differenceFrom(0.1 + 0.2, 0.3, 'higher')).toEqual({ text: '±0', isBetter: null });
  for (const value of [null, undefined, NaN, 'x'])
    expect([differenceFrom(value, 1, null), differenceFrom(1, value, null)]).toEqual([null, null]);
});

test('a setting is changed if it has another value, or none', () => {
  expect([isChanged(0.1, 0.1), isChanged('adam', 'sgd'), isChanged(32, null)]).toEqual([
    false,
    true,
    true,
  ]);
  expect(isChanged(null, undefined)).toBe(false);
});
