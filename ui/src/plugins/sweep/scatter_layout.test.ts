import { expect, test } from 'vitest';

import { axisOf } from '@/charts/parallel_lines';

import {
  cellsOf,
  countsOf,
  FRAME,
  pixelX,
  pixelY,
  rangesOf,
  shareOf,
  ticksOf,
  type Cell,
} from './scatter_layout';

const lr = axisOf('lr', [0.001, 0.1, null, 0.01], 'log');
const opt = axisOf('opt', ['adam', 'sgd', 'sgd', null]);
const acc = axisOf('acc', [0.5, 0.9, 0.7, 0.7]);

test('cells are aligned: equal sizes, rows and columns share their edges', () => {
  const cells = cellsOf([lr, opt, acc], [acc, opt], { width: 800, height: 400 });
  expect(cells).toHaveLength(6);
  const one = (name: keyof Cell): Set<unknown> => new Set(cells.map((cell) => cell[name]));
  expect([one('width').size, one('height').size, one('left').size, one('top').size]).toEqual([
    1, 1, 3, 2,
  ]);
  const [first, last] = [cells[0], cells[5]];
  expect([first?.left, first?.top]).toEqual([FRAME.left, FRAME.top]);
  expect((last?.left ?? 0) + (last?.width ?? 0)).toBeCloseTo(800 - FRAME.right);
  expect((last?.top ?? 0) + (last?.height ?? 0)).toBeCloseTo(400 - FRAME.bottom);
});

test('points are within their cell; a tick is where its value is', () => {
  const [cell] = cellsOf([lr], [acc], { width: 300, height: 200 });
  if (!cell) throw new Error('There is no cell.');
  const x = [...lr.places].map((place) => pixelX(cell, shareOf(lr, place)));
  expect(x[0]).toBe(cell.left + 8);
  expect(x[1]).toBe(cell.left + cell.width - 8);
  expect(x[2]).toBeNaN();
  expect(pixelY(cell, shareOf(acc, 0.9))).toBe(cell.top + 8);
  const tick = ticksOf(lr, 4, 10).find(({ text }) => text === '0.01');
  expect(pixelX(cell, tick?.share ?? NaN)).toBeCloseTo(x[3] ?? NaN);
  expect(ticksOf(opt, 4, 10)).toEqual([
    { share: 0.25, text: 'adam' },
    { share: 0.75, text: 'sgd' },
  ]);
  expect(ticksOf(axisOf('m', ['a', 'b', 'c', 'd', 'e']), 2, 9)).toHaveLength(2);
});

test('a field against itself is a histogram', () => {
  expect(countsOf(opt, [0, 1, 2, 3])).toEqual([1, 2]);
  const counts = countsOf(acc, [0, 1, 2, 3]);
  expect([counts[0], counts.at(-1), counts.reduce((sum, count) => sum + count)]).toEqual([1, 1, 4]);
  expect(shareOf(axisOf('one', [3]), 3)).toBe(0.5);
});

test('an area covers ranges of both axes, as their places', () => {
  const [cell] = cellsOf([lr], [opt], { width: 400, height: 300 });
  if (!cell) throw new Error('no cell');
  const at = (x: number, y: number): [number, number] => [pixelX(cell, x), pixelY(cell, y)];
  const [across, up] = rangesOf({ cell, from: at(0.5, 0), to: at(1, 0.5) });
  // From 0.01 to 0.1, and the first of two categories.
  expect([across?.field, across?.from, across?.to]).toEqual(['lr', -2, -1]);
  expect([up?.field, up?.from, up?.to]).toEqual(['opt', -0.5, 0.5]);
});
