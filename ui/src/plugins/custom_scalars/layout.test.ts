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
  it('numbers charts without a title, and keeps a slash of a category from being a level', () => {
    const placed = placedCharts(
      { categories: [{ title: 'a/b', closed: false, charts: [chart] }] },
      (n) => `chart ${n}`,
    );
    expect(placed.map(({ tag }) => tag)).toEqual(['a∕b/chart 1']);
  });

  it('of no layout is nothing', () => {
    expect(placedCharts({}, String)).toEqual([]);
  });
});

describe('linesOfChart', () => {
  it('has the lines of the chosen jobs alone', () => {
    const lines = linesOfChart(chart, new Set(['./a', './b']));
    expect(lines.map(({ trainId, tag }) => `${trainId} ${tag}`)).toEqual([
      './a m',
      './b x',
      './b m',
    ]);
    expect(tagsOf(lines)).toEqual(['hi', 'lo', 'm', 'x']);
  });
});
