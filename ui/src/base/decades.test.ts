import { expect, test } from 'vitest';

import { spansDecades } from './decades';

test('values that are spread by factors span decades', () => {
  for (const values of [
    [3e-4, 1e-3, 3e-3, 1e-2],
    [1e-3, 1e-2],
    [16, 32, 64, 128, 256],
    [1e-5, 0.5, 0.6, 0.7],
  ])
    expect(spansDecades([...values, NaN, ...values]), values.join()).toBe(true);
});

test('values that are spread evenly, that are close, or not all positive, do not', () => {
  for (const values of [
    Array.from({ length: 50 }, (_, i) => i + 1),
    [0.1, 0.2, 0.4],
    [0, 1e-4, 1e-2],
    [-1, 1e-4, 1],
    [5, 5],
    [],
  ])
    expect(spansDecades(values), values.join()).toBe(false);
});
