import { describe, expect, it } from 'vitest';

import { formatElement, indicesOf, numberOf, shareOf, tableOf, usualDims } from './elements';

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

describe('tableOf', () => {
  it('has the indices of the slices on both axes', () => {
    const matrix = [
      [1, 2],
      [3, 4],
    ];
    expect(tableOf(matrix, ['7', '2:4', '::3'], [9, 5, 6])).toEqual({
      dimensions: [1, 2],
      rows: ['2', '3'],
      columns: ['0', '3'],
      cells: matrix,
    });
  });

  it('shows a row of a matrix with its index, and a column as a column', () => {
    expect(tableOf([5, 6], ['3', ':'], [4, 2])).toEqual({
      dimensions: [0, 1],
      rows: ['3'],
      columns: ['0', '1'],
      cells: [[5, 6]],
    });
    expect(tableOf([5, 6], ['1:3', '-1'], [4, 2])).toEqual({
      dimensions: [0, 1],
      rows: ['1', '2'],
      columns: ['1'],
      cells: [[5], [6]],
    });
  });

  it('shows vectors and numbers', () => {
    expect(tableOf([5, 6], [':'], [2])).toMatchObject({
      dimensions: [null, 0],
      rows: [''],
      columns: ['0', '1'],
      cells: [[5, 6]],
    });
    expect(tableOf(5, [], [])).toMatchObject({ rows: [''], columns: [''], cells: [[5]] });
    expect(tableOf(5, ['1', '2'], [4, 4])).toMatchObject({ rows: ['1'], columns: ['2'] });
  });

  it('has no rows for empty slices', () => {
    expect(tableOf([], ['2:1', ':'], [4, 2]).cells).toEqual([]);
  });
});

describe('usualDims', () => {
  it('is the first matrix, cropped if it is large', () => {
    expect(usualDims([2, 3, 4, 5])).toEqual(['0', '0', ':', ':']);
    expect(usualDims([5000, 300])).toEqual(['0:1000', '0:100']);
    expect(usualDims([])).toEqual([]);
  });
});

describe('indicesOf', () => {
  it('selects as Python does', () => {
    const selected = ['0', '-1', ':', '1:', ':-2', '::2', '::-1', '3:0:-2', '9:', '2:1'].map(
      (text) => indicesOf(text, 4)?.join(' '),
    );
    expect(selected).toEqual([
      '0',
      '3',
      '0 1 2 3',
      '1 2 3',
      '0 1',
      '0 2',
      '3 2 1 0',
      '3 1',
      '',
      '',
    ]);
  });

  it('is null for what is no index of the dimension', () => {
    for (const text of ['4', '-5', '', 'a', '1:2:0', '1,2', '1:2:3:4', '1.5'])
      expect(indicesOf(text, 4), text).toBeNull();
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
