import { describe, expect, it } from 'vitest';

import { colourPoints, groupingColumn } from './colours';

describe('colourPoints', () => {
  it('gives the most frequent values colours of their own, and the rest one', () => {
    const values = [...Array.from({ length: 12 }, (_, i) => `v${String(i).padStart(2, '0')}`), 'v11'];
    const { colours, legend } = colourPoints(values, 13, 'light', '#000');
    expect(legend).toHaveLength(10);
    expect(legend[0]).toMatchObject({ value: 'v11', count: 2 });
    expect(colours[11]).toBe(colours[12]);
    expect(colours[10]).toBe('#000');
    expect(new Set(colours.slice(0, 9)).size).toBe(9);
  });

  it('without values all points are alike', () => {
    expect(colourPoints(null, 2, 'dark', '#123')).toEqual({ colours: ['#123', '#123'], legend: [] });
  });
});

describe('groupingColumn', () => {
  it('is the one with the fewest groups', () => {
    expect(groupingColumn([['w1', 'a', 'x'], ['w2', 'b', 'x'], ['w3', 'a', 'x']], 3)).toBe(1);
  });

  it('is none where every text is another, or all are the same', () => {
    expect(groupingColumn([['w1', 'x'], ['w2', 'x']], 2)).toBe(-1);
    expect(groupingColumn([], 0)).toBe(-1);
  });
});
