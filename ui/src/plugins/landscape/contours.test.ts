import { expect, test } from 'vitest';

import { contour, heights, levels, type Surface } from './contours';

const axis = Array.from({ length: 41 }, (_, i) => (i - 20) / 10);
const bowl: Surface = { x: axis, y: axis, z: axis.map((y) => axis.map((x) => x * x + y * y)) };

test('the line of a height is where the surface has it', () => {
  const segments = contour(bowl, 1);
  expect(segments.length).toBeGreaterThan(40);
  for (const [x, y] of segments) expect(Math.hypot(x, y)).toBeCloseTo(1, 2);
});

test('what is no number is no height', () => {
  expect(heights({ x: [0, 1], y: [0, 1], z: [[1, NaN], [3, Infinity]] })).toEqual([1, 3]);
  expect(contour({ x: [0, 1], y: [0, 1], z: [[NaN, NaN], [NaN, NaN]] }, 1)).toEqual([]);
});

test('levels stand between the lowest and the highest', () => {
  expect(levels([0, 4], 3)).toEqual([1, 2, 3]);
  expect(levels([2, 2], 3)).toEqual([]);
});
