import { describe, expect, it } from 'vitest';

import { formatElement, isIndex, numberOf, rowsOf, shareOf, usualDims } from './elements';

describe('numberOf', () => {
  it('knows the names of what JSON cannot hold', () => {
    expect([
      numberOf('NAN'),
      numberOf('INF'),
      numberOf('-INF'),
      numberOf(2),
      numberOf(true),
      numberOf('word'),
    ]).toEqual([NaN, Infinity, -Infinity, 2, 1, null]);
  });
});

describe('formatElement', () => {
  it('shows all digits where they are asked for', () => {
    expect(formatElement(0.1234567890123, 'full')).toBe('0.1234567890123');
    expect(formatElement(0.1234567890123, 'short')).toBe('0.12346');
    expect(formatElement(1234.5678, 'fixed')).toBe('1234.568');
    expect(formatElement(1234.5678, 'exponent')).toBe('1.235e+3');
  });

  it('shows what is no number as it is', () => {
    expect(formatElement('NAN', 'fixed')).toBe('NaN');
    expect(formatElement('a word', 'fixed')).toBe('a word');
    expect(formatElement(false, 'fixed')).toBe('false');
  });
});

describe('rowsOf', () => {
  it('lays a matrix out as it is, a vector as a row, a number as a cell', () => {
    expect(
      rowsOf([
        [1, 2],
        [3, 4],
      ]),
    ).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(rowsOf([1, 2])).toEqual([[1, 2]]);
    expect(rowsOf(5)).toEqual([[5]]);
  });

  it('has no rows of what has no elements', () => {
    expect([rowsOf([]), rowsOf([[], []])]).toEqual([[], []]);
  });
});

describe('usualDims', () => {
  it('is the first matrix, cut where it is large', () => {
    expect(usualDims([2, 3, 4, 5])).toEqual(['0', '0', ':', ':']);
    expect(usualDims([5000, 300])).toEqual(['0:1000', '0:100']);
    expect(usualDims([])).toEqual([]);
  });
});

describe('isIndex', () => {
  it('takes what Python takes, within the dimension', () => {
    expect(
      ['0', '-4', '3', ':', '1:', ':2', '::2', '0:4:-1'].every((text) => isIndex(text, 4)),
    ).toBe(true);
    expect(['4', '-5', '', 'a', '1:2:0', '1,2'].some((text) => isIndex(text, 4))).toBe(false);
  });
});

describe('shareOf', () => {
  it('is between the least and the largest', () => {
    expect([
      shareOf(5, 0, 10),
      shareOf(NaN, 0, 10),
      shareOf(null, 0, 10),
      shareOf(3, 3, 3),
      shareOf(99, 0, 10),
    ]).toEqual([0.5, 0, 0, 0, 1]);
  });
});
