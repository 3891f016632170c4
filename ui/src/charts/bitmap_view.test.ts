import { expect, test } from 'vitest';

import { paddingOf, bitmapSize, isSameView, placeIn, type BitmapView } from './bitmap_view';
import { projectionOf } from './measure';

const VIEW: BitmapView = {
  measure: { x: [0, 100], y: [0, 1], logX: false, logY: false },
  width: 400,
  height: 200,
  left: 0.5,
  top: 0,
  ratio: 1.25,
};

/** Position of a value on a bitmap of `old` drawn into `view`, in CSS pixels of the plot. */
function drawnAt(view: BitmapView, old: BitmapView, x: number, y: number): [number, number] {
  const place = placeIn(view, old);
  if (!place) throw new Error('It has no place.');
  const to = projectionOf(old.measure, old.width, old.height);
  const size = bitmapSize(old);
  const padding = paddingOf(old.ratio);
  const left = (padding + old.left + to.x(x) * old.ratio) / size.width;
  const top = (padding + old.top + to.y(y) * old.ratio) / size.height;
  return [place.left + left * place.width, place.top + top * place.height];
}

test('a bitmap of another view is drawn at the positions of its values', () => {
  const panned: BitmapView = {
    ...VIEW,
    measure: { x: [30, 90], y: [-2, 3], logX: false, logY: false },
    width: 380,
    height: 210,
    left: 0,
  };
  const to = projectionOf(panned.measure, panned.width, panned.height);
  for (const [x, y] of [
    [0, 0],
    [40, 0.5],
    [100, 1],
  ] as const) {
    const [left, top] = drawnAt(panned, VIEW, x, y);
    expect(left).toBeCloseTo(to.x(x), 6);
    expect(top).toBeCloseTo(to.y(y), 6);
  }
});

test('the same holds on logarithmic axes, but not between different scales', () => {
  const log: BitmapView = {
    ...VIEW,
    measure: { x: [1, 1_000], y: [0.1, 10], logX: true, logY: true },
  };
  const zoomed: BitmapView = { ...log, measure: { ...log.measure, x: [10, 100], y: [0.5, 20] } };
  const to = projectionOf(zoomed.measure, zoomed.width, zoomed.height);
  const [left, top] = drawnAt(zoomed, log, 50, 2);
  expect(left).toBeCloseTo(to.x(50), 6);
  expect(top).toBeCloseTo(to.y(2), 6);
  expect(placeIn(VIEW, log)).toBeNull();
});

test('a view without an extent has no position', () => {
  expect(placeIn(VIEW, { ...VIEW, measure: { ...VIEW.measure, x: [5, 5] }, width: 0 })).toBeNull();
});

test('views are equal if all fields are', () => {
  expect(isSameView(VIEW, structuredClone(VIEW))).toBe(true);
  expect(isSameView(VIEW, { ...VIEW, measure: { ...VIEW.measure, y: [0, 1.1] } })).toBe(false);
});
