import { expect, test } from 'vitest';

import { keyMove } from './keys';
import { line } from './lines_for_tests';

const lines = [line('a', [0, 10, 20], [1, 2, 3]), line('b', [0, 5, 20], [1, 2, 3])];
const press = (key: string, x: number | null = 10, lineId: string | null = 'a') =>
  keyMove({ key, ctrlKey: false, metaKey: false, altKey: false }, lines, [0, 20], { x, lineId });

test('arrows move along the points of the highlighted line', () => {
  expect(press('ArrowRight')).toEqual({ x: 20 });
  expect(press('ArrowRight', 0, 'b')).toEqual({ x: 5 });
  expect(press('ArrowLeft', 0)).toEqual({ x: 0 });
  expect(press('End', 0)).toEqual({ x: 20 });
});

test('plus and minus zoom around the crosshair, zero resets the zoom', () => {
  expect(press('+')).toEqual({ zoom: [5, 15] });
  expect(press('-')).toEqual({ zoom: [-10, 30] });
  expect(press('0')).toEqual({ zoom: null });
});

test('ignores other keys, and keys with modifiers', () => {
  expect(press('x')).toBeNull();
  expect(
    keyMove({ key: '+', ctrlKey: true, metaKey: false, altKey: false }, lines, [0, 20], null),
  ).toBeNull();
});
