import { describe, expect, it } from 'vitest';

import type { LabelColumn } from './api';

import { colorPoints, groupingColumn } from './colors';

function column(texts: readonly string[]): LabelColumn {
  const values = [...new Set(texts)];
  return { name: 'label', values, codes: Int32Array.from(texts, (text) => values.indexOf(text)) };
}

describe('colorPoints', () => {
  it('gives the most frequent values a color each, and the rest one color', () => {
    const texts = [
      ...Array.from({ length: 12 }, (_, i) => `v${String(i).padStart(2, '0')}`),
      'v11',
    ];
    const { colors, legend } = colorPoints(column(texts), 13, 'light', '#ff8001');
    const of = (i: number): string => colors.subarray(3 * i, 3 * i + 3).join(' ');
    expect(legend.map(({ value, count }) => [value, count])).toEqual([
      ['v11', 2],
      ...texts.slice(0, 9).map((value) => [value, 1]),
    ]);
    expect(of(11)).toBe(of(12));
    expect(of(10)).toBe('255 128 1');
    expect(new Set(texts.slice(0, 9).map((_, i) => of(i))).size).toBe(9);
  });

  it('gives all points the same color if there are no values', () => {
    expect(colorPoints(null, 2, 'dark', '#000102')).toEqual({
      colors: Uint8Array.of(0, 1, 2, 0, 1, 2),
      legend: [],
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
