import { describe, expect, it } from 'vitest';

import { formatElement, isIndex, numberOf, rowsOf, shareOf, usualDims } from './elements';

describe('numberOf', () => {
  it('reads the names of non-finite numbers', () => {
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
  it('shows all digits on request', () => {
    expect(formatElement(0.1234567890123, 'full')).toBe('0.1234567890123');
    expect(formatElement(0.1234567890123, 'short')).toBe('0.12346');
    expect(formatElement(1234.5678, 'fixed')).toBe('1234.568');
    expect(formatElement(1234.5678, 'exponent')).toBe('1.235e+3');
  });

  it('shows non-finite values by name', () => {
    expect(formatElement('NAN', 'fixed')).toBe('NaN');
    expect(formatElement('a word', 'fixed')).toBe('a word');
    expect(formatElement(false, 'fixed')).toBe('false');
  });
});

describe('rowsOf', () => {
  it('shows a matrix as it is, a vector as a row, a number as a cell', () => {
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

  it('returns no rows for empty tensors', () => {
    expect([rowsOf([]), rowsOf([[], []])]).toEqual([[], []]);
  });
});

describe('usualDims', () => {
  it('is the first matrix, cropped if it is large', () => {
    expect(usualDims([2, 3, 4, 5])).toEqual(['0', '0', ':', ':']);
    expect(usualDims([5000, 300])).toEqual(['0:1000', '0:100']);
    expect(usualDims([])).toEqual([]);
  });
});

describe('isIndex', () => {
  it("accepts Python's indices within the dimension", () => {
    expect(
      ['0', '-4', '3', ':', '1:', ':2', '::2', '0:4:-1'].every((text) => isIndex(text, 4)),
    ).toBe(true);
    expect(['4', '-5', '', 'a', '1:2:0', '1,2'].some((text) => isIndex(text, 4))).toBe(false);
  });
});

describe('shareOf', () => {
  it('is the position between minimum and maximum', () => {
    expect([
      shareOf(5, 0, 10),
      shareOf(NaN, 0, 10),
      shareOf(null, 0, 10),
      shareOf(3, 3, 3),
      shareOf(99, 0, 10),
    ]).toEqual([0.5, 0, 0, 0, 1]);
  });
});
