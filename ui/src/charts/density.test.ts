import { expect, test } from 'vitest';

import { densityOf } from './density';
import { line } from './lines_for_tests';
import { projectionOf } from './measure';

const to = projectionOf({ x: [0, 4], y: [0, 4], logX: false, logY: false }, 4, 4);

function rows(lines: Parameters<typeof densityOf>[0], ratio = 1, by = to): string[] {
  const { width, height, counts } = densityOf(lines, by, ratio);
  return Array.from({ length: height }, (_, row) =>
    [...counts.subarray(row * width, (row + 1) * width)].join(''),
  );
}

test('pixels count the lines that cross them', () => {
  const level = line('a', [0, 4], [2.5, 2.5]);
  const low = line('b', [0, 4], [0.5, 0.5]);
  expect(rows([level, level, low])).toEqual(['0000', '2222', '0000', '1111']);
});

test('a steep line counts once in each pixel of its column', () => {
  expect(rows([line('a', [1, 1.5], [0.5, 3.5])])).toEqual(['0100', '0100', '0100', '0100']);
});

test('gaps and lines outside are not counted', () => {
  const gap = line('a', [0.5, 1.5, 3.5], [2.5, NaN, 2.5]);
  expect(rows([gap, line('b', [0, 4], [9, 9])])).toEqual(['0000', '1001', '0000', '0000']);
});

test('device pixels are counted', () => {
  const { width, height } = densityOf([], to, 2);
  expect([width, height]).toEqual([8, 8]);
});

test('reduced series cover their extremes, smoothed ones their line', () => {
  const x = Float64Array.of(0.5, 3.5);
  const band = { x, low: Float64Array.of(0.5, 0.5), high: Float64Array.of(2.5, 2.5) };
  const reduced = line('a', [0.5, 3.5], [1.5, 1.5], { band });
  expect(rows([reduced])).toEqual(['0000', '1111', '1111', '1111']);
  expect(rows([{ ...reduced, raw: x }])).toEqual(['0000', '0000', '1111', '0000']);
});
