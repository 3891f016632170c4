import { expect, test } from 'vitest';

import { tracePath, type Projection } from './paint';

const plain: Projection = { x: (value) => value, y: (value) => value, visible: [0, 1_000], logY: false };

function trace(x: readonly number[], y: readonly number[], to: Projection = plain): string {
  const steps: string[] = [];
  const path = {
    moveTo: (left: number, top: number) => { steps.push(`M${left},${top}`); },
    lineTo: (left: number, top: number) => { steps.push(`L${left},${top}`); },
  };
  tracePath(path, Float64Array.from(x), Float64Array.from(y), to);
  return steps.join(' ');
}

test('a sparse line visits its points', () => {
  expect(trace([0, 10, 20], [1, 5, 3])).toBe('M0,1 L10,5 L20,3');
});

test('NaN and infinities are gaps', () => {
  expect(trace([0, 10, 20, 30, 40], [1, 5, NaN, 3, 2])).toBe('M0,1 L10,5 M30,3 L40,2');
  expect(trace([0, 10, 20], [1, Infinity, 2])).toBe('M0,1 M20,2');
});

test('points of one pixel column become first, lowest, highest, last', () => {
  const path = trace([5, 5.1, 5.2, 5.3, 5.4, 20], [3, 9, 1, 4, 2, 7]);
  expect(path).toBe('M5,3 L5,9 L5,1 L5,2 L20,7');
});

test('no spike is lost, however dense the line', () => {
  const y = Array.from({ length: 50_000 }, (_, i) => (i === 31_337 ? 777 : i % 7));
  const path = trace(y.map((_, i) => i / 100), y);
  expect(path).toContain(',777');
  expect(path.split(' ').length).toBeLessThan(2_100);
});

test('the line enters and leaves at the edges', () => {
  expect(trace([0, 10, 20, 30], [1, 2, 3, 4], { ...plain, visible: [12, 18] })).toBe('M10,2 L20,3');
});

test('a logarithmic axis has no place for what is not above zero', () => {
  expect(trace([0, 10, 20], [1, 0, 2], { ...plain, logY: true })).toBe('M0,1 M20,2');
});
