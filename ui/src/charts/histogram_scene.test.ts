import { describe, expect, it } from 'vitest';

import { chosenLayers, heatMapOf, heightAt, ridgesOf, type HistogramLayer, type HistogramScene } from './histogram_scene';

const layer = (x: number, count = 4): HistogramLayer => ({ x, label: String(x), buckets: [[0, 1, count], [1, 2, count]] });
const scene = (layers: HistogramLayer[], mode: HistogramScene['mode'] = 'ridges'): HistogramScene => ({
  mode, layers, range: [0, 2], xLabel: String, lit: -1,
});
const area = { left: 0, top: 10, width: 100, height: 100 };

describe('chosenLayers', () => {
  it('is all of them where there is room', () => {
    expect(chosenLayers(3, 60, 1)).toEqual([0, 1, 2]);
  });

  it('has first, last and lit, evenly apart', () => {
    expect(chosenLayers(101, 5, 30)).toEqual([0, 25, 30, 50, 75, 100]);
  });
});

describe('ridgesOf', () => {
  it('puts steps as far apart as they are', () => {
    const { ridges } = ridgesOf(scene([layer(0), layer(10), layer(40)]), area);
    const [first, second, third] = ridges.map(({ base }) => base);
    expect(third).toBeCloseTo(110);
    expect(first).toBeCloseTo(50);
    expect(((second ?? 0) - (first ?? 0)) / ((third ?? 0) - (first ?? 0))).toBeCloseTo(0.25);
  });

  it('gives all the same base where they lie over each other', () => {
    const { ridges } = ridgesOf(scene([layer(0), layer(10)], 'overlay'), area);
    expect(new Set(ridges.map(({ base }) => base)).size).toBe(1);
  });

  it('draws the largest share as high as there is room', () => {
    const { ridges, tallest, height } = ridgesOf(scene([layer(0)]), area);
    const [ridge] = ridges;
    expect(ridge && heightAt(ridge, tallest, height, 0.5)).toBeCloseTo((ridge?.base ?? 0) - height);
  });
});

describe('heatMapOf', () => {
  it('has a column for each step', () => {
    expect(heatMapOf(scene([layer(0), layer(1), layer(9)]), 300).columns).toHaveLength(3);
  });

  it('shows the mean of the steps that share a pixel', () => {
    const { columns } = heatMapOf(scene([
      { x: 0, label: '', buckets: [[0, 1, 8]] }, { x: 1, label: '', buckets: [[1, 2, 8]] },
    ]), 1);
    expect(columns).toHaveLength(1);
    const [column] = columns;
    expect(column?.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
    expect(column?.[0]).toBeCloseTo(column?.[column.length - 1] ?? 0);
  });
});
