import { describe, expect, test } from 'vitest';

import { arranged, placeBy, readSize, withMove, writeSize, type Moves } from './arrangement';

const NAMES = ['a', 'b', 'c', 'd'];
const shown = (moves: Moves, names = NAMES): string => arranged(names, String, moves).join('');

describe('moves', () => {
  test('put a card before another one, or at the end', () => {
    expect(shown([['d', 'b']])).toBe('adbc');
    expect(shown([['a', '']])).toBe('bcda');
    expect(
      shown([
        ['d', 'a'],
        ['b', 'd'],
      ]),
    ).toBe('bdac');
  });

  test('of cards that are not there are skipped', () => {
    expect(
      shown([
        ['x', 'a'],
        ['a', 'x'],
        ['d', 'a'],
      ]),
    ).toBe('dabc');
  });

  test('leave new cards in their usual places', () => {
    expect(shown([['d', 'a']], ['a', 'b', 'bb', 'd', 'e'])).toBe('dabbbe');
  });

  test('that are undone by others are dropped', () => {
    const there = withMove([], NAMES, 'd', 'a');
    expect(there).toEqual([['d', 'a']]);
    expect(withMove(there, NAMES, 'd', 'b')).toEqual([['d', 'b']]);
    expect(withMove(there, NAMES, 'd', '')).toEqual([]);
    expect(withMove(there, NAMES, 'd', 'd')).toBe(there);
  });

  test('stay as long as later ones build on them', () => {
    const both = withMove(withMove([], NAMES, 'd', 'a'), NAMES, 'c', 'd');
    expect(shown(both)).toBe('cdab');
    expect(shown(withMove(both, NAMES, 'd', ''))).toBe('cabd');
  });
});

test('a card moves by places and stops at the ends', () => {
  expect(placeBy(NAMES, 'b', 1)).toBe('d');
  expect(placeBy(NAMES, 'b', -1)).toBe('a');
  expect(placeBy(NAMES, 'b', 2)).toBe('');
  expect(placeBy(NAMES, 'c', Infinity)).toBe('');
  expect(placeBy(NAMES, 'c', -Infinity)).toBe('a');
  expect(placeBy(NAMES, 'd', 1)).toBeNull();
  expect(placeBy(NAMES, 'a', -2)).toBeNull();
});

test('sizes in links are bounded, and empty as usual', () => {
  for (const text of ['2x400', '2x', 'x400', '']) expect(writeSize(readSize(text))).toBe(text);
  expect(readSize('99x99999')).toEqual({ span: 8, height: 1600 });
  expect(readSize('wide')).toEqual({ span: null, height: null });
});
