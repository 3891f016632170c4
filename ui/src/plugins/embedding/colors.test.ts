import { describe, expect, it } from 'vitest';

import type { LabelColumn } from './api';

import { colorPoints, groupingColumn } from './colors';

function column(texts: readonly string[]): LabelColumn {
  const values = [...new Set(texts)];
  return { name: 'label', values, codes: Int32Array.from(texts, (text) => values.indexOf(text)) };
}

describe('colorPoints', () => {
  const of = (colors: Uint8Array, i: number): string => colors.subarray(3 * i, 3 * i + 3).join(' ');

  it('gives the most frequent values a hue each, and the rest neutral gray', () => {
    const texts = [
      ...Array.from({ length: 30 }, (_, i) => `v${String(i).padStart(2, '0')}`),
      'v29',
    ];
    const { colors, legend, pointsOf } = colorPoints(column(texts), 31, 'light', '#ff8001');
    expect(legend.map(({ value, count, values }) => [value, count, values])).toEqual([
      ['v29', 2, 1],
      ...texts.slice(0, 23).map((value) => [value, 1, 1]),
      [null, 6, 6],
    ]);
    expect(of(colors, 29)).toBe(of(colors, 30));
    expect(of(colors, 28)).toBe('185 186 192');
    expect(new Set(texts.slice(0, 23).map((_, i) => of(colors, i))).size).toBe(23);
    expect([...pointsOf('v29')]).toEqual([29, 30]);
    expect([...pointsOf(null)]).toEqual([23, 24, 25, 26, 27, 28]);
  });

  it('names the value that is left over if it is the only one, and counts in natural order', () => {
    const texts = Array.from({ length: 25 }, (_, i) => `cluster ${i}`);
    const { colors, legend } = colorPoints(column(texts), 25, 'light', '#ff8001');
    expect(legend.map(({ value }) => value)).toEqual(texts);
    expect(of(colors, 24)).toBe('185 186 192');
  });

  it('colors numbers by a ramp that outliers do not stretch', () => {
    const texts = Array.from({ length: 200 }, (_, i) => (i === 199 ? '1e9' : String(i)));
    const { colors, legend, range } = colorPoints(column(texts), 200, 'light', '#000000');
    expect(legend).toEqual([]);
    expect([range?.low, range?.high]).toEqual([2, 197]);
    expect(of(colors, 0)).toBe('68 1 84');
    expect(of(colors, 199)).toBe('253 231 37');
    expect(range?.stops).toHaveLength(5);
  });

  it('puts numbers over several decades on a logarithmic scale', () => {
    const texts = Array.from({ length: 101 }, (_, i) => String(10 ** (i / 25)));
    const { colors, range } = colorPoints(column(texts), 101, 'light', '#000000');
    expect(range?.isLog).toBe(true);
    // The middle of the ramp is the middle of the decades.
    expect(of(colors, 50)).toBe('33 145 140');
  });

  it('treats a few different numbers as classes', () => {
    const texts = Array.from({ length: 40 }, (_, i) => String(i % 10));
    expect(colorPoints(column(texts), 40, 'dark', '#000000').legend).toHaveLength(10);
  });

  it('gives all points the same color if there are no values', () => {
    expect(colorPoints(null, 2, 'dark', '#000102')).toMatchObject({
      colors: Uint8Array.of(0, 1, 2, 0, 1, 2),
      legend: [],
      range: null,
    });
  });
});

describe('groupingColumn', () => {
  it('is the one with the fewest groups', () => {
    expect(
      groupingColumn(
        [column(['w1', 'w2', 'w3']), column(['a', 'b', 'a']), column(['x', 'x', 'x'])],
        3,
      ),
    ).toBe(1);
  });

  it('is null if all texts differ or all are equal', () => {
    expect(groupingColumn([column(['w1', 'w2']), column(['x', 'x'])], 2)).toBe(-1);
    expect(groupingColumn([], 0)).toBe(-1);
  });
});
