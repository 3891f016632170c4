import { describe, expect, it } from 'vitest';

import { linesOfChart, placedCharts, tagsOf, type LayoutChart } from './layout';

const chart: LayoutChart = {
  title: '',
  kind: 'margin',
  series: [
    { train_id: './a', margins: [{ value: 'm', lower: 'lo', upper: 'hi' }] },
    { train_id: './b', tags: ['x', 'm'] },
    { train_id: './c', tags: ['gone'] },
  ],
};

describe('placedCharts', () => {
  it('numbers untitled charts and escapes slashes in categories', () => {
    const placed = placedCharts(
      { categories: [{ title: 'a/b', closed: false, charts: [chart] }] },
      (n) => `chart ${n}`,
    );
    expect(placed.map(({ tag }) => tag)).toEqual(['a∕b/chart 1']);
  });

  it('is empty without a layout', () => {
    expect(placedCharts({}, String)).toEqual([]);
  });
});

describe('linesOfChart', () => {
  it('returns only lines of selected jobs', () => {
    const lines = linesOfChart(chart, new Set(['./a', './b']));
    expect(lines.map(({ trainId, tag }) => `${trainId} ${tag}`)).toEqual([
      './a m',
      './b x',
      './b m',
    ]);
    expect(tagsOf(lines)).toEqual(['hi', 'lo', 'm', 'x']);
  });
});
