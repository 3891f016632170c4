import { expect, test } from 'vitest';

import { fitted, opened, placeOf, placeText } from './viewport';

const WIDE = { width: 1_200, height: 800 };

test('a written viewport is read back, and fits another screen', () => {
  const view = { left: -340, top: 25, scale: 0.8 };
  const text = placeText(view, WIDE);
  expect(text).toBe('1175,469,0.8');
  const again = placeOf(text, WIDE);
  expect(again?.scale).toBe(0.8);
  expect(Math.abs((again?.left ?? 0) - view.left)).toBeLessThan(1);
  expect(
    placeText(placeOf(text, { width: 360, height: 500 }) ?? view, { width: 360, height: 500 }),
  ).toBe(text);
});

test('rejects invalid viewports', () => {
  for (const text of [
    '',
    '1,2',
    '1,2,3,4',
    '1,,1',
    'a,b,c',
    '1,2,0',
    '1,2,99',
    '1e12,0,1',
    'NaN,1,1',
  ])
    expect(placeOf(text, WIDE), text).toBeNull();
});

test('a fitted picture is above the buttons, but for paper', () => {
  const screen = { width: 360, height: 470 };
  const bottomOf = (bottom?: number): number => {
    const picture = { width: 200, height: 900 };
    const { top, scale } = fitted(picture, screen, bottom);
    return top + picture.height * scale;
  };
  expect(bottomOf()).toBeCloseTo(418);
  expect(bottomOf(0)).toBeCloseTo(446);
});

test('a graph opens fitted if its names are readable, smaller on phones', () => {
  const phone = { width: 360, height: 470 };
  const tall = { width: 300, height: 1_100, start: 150 };
  expect(opened(tall, phone)).toEqual(fitted(tall, phone));
  // Else it opens at its inputs.
  for (const screen of [phone, { width: 700, height: 470 }]) {
    const { top, scale } = opened({ ...tall, height: 1_200 }, screen);
    expect([top, scale]).toEqual([24, 1]);
  }
});
