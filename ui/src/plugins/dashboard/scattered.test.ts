import { expect, test } from 'vitest';

import { scattered } from './scattered';

test('points fill the box, with the second axis upwards; one alone stands in its middle', () => {
  expect(scattered([[0, 0, 9], [10, 5, 9], [5, 5, 9]], 100, 50)).toEqual([{ x: 0, y: 50 }, { x: 100, y: 0 }, { x: 50, y: 0 }]);
  expect(scattered([[3, 4]], 100, 50)).toEqual([{ x: 50, y: 25 }]);
  expect(scattered([[NaN, 1], [1]], 100, 50)).toEqual([{ x: 50, y: 25 }]);
});

test('of many points every n-th is there', () => {
  expect(scattered(Array.from({ length: 10_000 }, (_, i) => [i, i]), 10, 10).length).toBe(400);
});
