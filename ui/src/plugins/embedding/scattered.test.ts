import { expect, test } from 'vitest';

import { scattered } from './scattered';

test('points fill the box, with the second axis upwards; a single point is centered', () => {
  expect(scattered(Float32Array.of(0, 0, 9, 10, 5, 9, 5, 5, 9), 100, 50)).toEqual([
    { x: 0, y: 50 },
    { x: 100, y: 0 },
    { x: 50, y: 0 },
  ]);
  expect(scattered(Float32Array.of(3, 4, 0), 100, 50)).toEqual([{ x: 50, y: 25 }]);
  expect(scattered(Float32Array.of(NaN, 1, 0, 1, 2, 3), 100, 50)).toEqual([{ x: 50, y: 25 }]);
});
