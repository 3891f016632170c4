import { expect, test } from 'vitest';

import { fitScale, FITTED, kept, toggled, zoomedAt } from './zoom';

const image = { width: 200, height: 100 };
const frame = { width: 400, height: 400 };

test('an image is fitted by its tighter side', () => {
  expect(fitScale(image, frame)).toBe(2);
  expect(fitScale(image, { width: 400, height: 50 })).toBe(0.5);
  expect(fitScale({ width: 0, height: 0 }, frame)).toBe(1);
});

test('the point under the pointer stays while zooming', () => {
  const at = { x: 30, y: -10 };
  const zoomed = zoomedAt(FITTED, at, 4, 2);
  expect(zoomed.scale).toBe(4);
  // A point of the image, before and after.
  expect((at.x - zoomed.x) / zoomed.scale).toBe(at.x);
  expect((at.y - zoomed.y) / zoomed.scale).toBe(at.y);
});

test('zooming ends at the fitted image and at 64 CSS pixels per pixel, or eightfold', () => {
  expect(zoomedAt(FITTED, { x: 0, y: 0 }, 0.1, 2).scale).toBe(1);
  expect(zoomedAt(FITTED, { x: 0, y: 0 }, 1e6, 2).scale).toBe(32);
  expect(zoomedAt(FITTED, { x: 0, y: 0 }, 1e6, 100).scale).toBe(8);
});

test('an image is not moved out of its frame', () => {
  expect(kept({ scale: 1, x: 50, y: 50 }, image, frame)).toEqual(FITTED);
  expect(kept({ scale: 2, x: 500, y: -500 }, image, frame)).toEqual({
    scale: 2,
    x: 200,
    y: 0,
  });
});

test('a double click zooms to the image’s pixels, and back', () => {
  const zoomed = toggled(FITTED, { x: 0, y: 0 }, 0.1);
  expect(zoomed.scale).toBe(10);
  expect(toggled(zoomed, { x: 0, y: 0 }, 0.1)).toEqual(FITTED);
});
