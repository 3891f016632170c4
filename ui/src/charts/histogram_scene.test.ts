import { describe, expect, it } from 'vitest';

import {
  selectedLayers,
  heatLayerAt,
  heatMapOf,
  heatPlaces,
  heightAt,
  ridgesOf,
  shownBucket,
  type HistogramLayer,
  type HistogramScene,
} from './histogram_scene';

const layer = (x: number, count = 4): HistogramLayer => ({
  x,
  label: String(x),
  buckets: [
    [0, 1, count],
    [1, 2, count],
  ],
});
const scene = (
  layers: HistogramLayer[],
  mode: HistogramScene['mode'] = 'ridges',
): HistogramScene => ({ mode, layers, range: [0, 2], xLabel: String, lit: -1 });
const area = { left: 0, top: 10, width: 100, height: 100 };

describe('selectedLayers', () => {
  it('returns all layers if there is room', () => {
    expect(selectedLayers(3, 60, 1)).toEqual([0, 1, 2]);
  });

  it('includes first, last and highlighted layers, evenly spaced', () => {
    expect(selectedLayers(101, 5, 30)).toEqual([0, 25, 30, 50, 75, 100]);
  });
});

describe('ridgesOf', () => {
  it('spaces ridges by their steps', () => {
    const { ridges } = ridgesOf(scene([layer(0), layer(10), layer(40)]), area);
    const [first, second, third] = ridges.map(({ base }) => base);
    expect(third).toBeCloseTo(110);
    expect(first).toBeCloseTo(50);
    expect(((second ?? 0) - (first ?? 0)) / ((third ?? 0) - (first ?? 0))).toBeCloseTo(0.25);
  });

  it('gives all overlaid ridges the same base', () => {
    const { ridges } = ridgesOf(scene([layer(0), layer(10)], 'overlay'), area);
    expect(new Set(ridges.map(({ base }) => base)).size).toBe(1);
  });

  it('scales the largest share to the available height', () => {
    const { ridges, tallest, height } = ridgesOf(scene([layer(0)]), area);
    const [ridge] = ridges;
    expect(ridge && heightAt(ridge, tallest, height, 0.5)).toBeCloseTo((ridge?.base ?? 0) - height);
  });
});

describe('equal bins', () => {
  it('replace the logged buckets, in the drawing and in what is pointed at', () => {
    const equal = { ...scene([layer(0)]), bins: 4 };
    expect(ridgesOf(equal, area).ridges[0]?.shares).toHaveLength(4);
    expect(shownBucket(equal, layer(0).buckets, 0.6)).toEqual([0.5, 1, 2]);
    expect(shownBucket(scene([layer(0)]), layer(0).buckets, 0.6)).toEqual([0, 1, 4]);
    expect(heatMapOf({ ...equal, mode: 'heat' }, 100).columns[0]?.shares).toHaveLength(4);
  });
});

describe('heatMapOf', () => {
  it('has a column for each step', () => {
    expect(heatMapOf(scene([layer(0), layer(1), layer(9)]), 300).columns).toHaveLength(3);
  });

  it('shows the mean of steps that share a pixel', () => {
    const { columns } = heatMapOf(
      scene([
        { x: 0, label: '', buckets: [[0, 1, 8]] },
        { x: 1, label: '', buckets: [[1, 2, 8]] },
      ]),
      1,
    );
    expect(columns).toHaveLength(1);
    const { shares } = columns[0] ?? { shares: new Float64Array() };
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
    expect(shares[0]).toBeCloseTo(shares[shares.length - 1] ?? 0);
  });

  it('places steps in proportion and finds them there', () => {
    const places = heatPlaces([layer(0), layer(10), layer(20), layer(70)]);
    expect(places).toEqual([0, 0.125, 0.25, 0.875, 1]);
    expect([0, 0.2, 0.5, 0.9, 1].map((part) => heatLayerAt(places, part))).toEqual([0, 1, 2, 3, 3]);
    expect(
      heatMapOf(scene([layer(0), layer(10), layer(20), layer(70)]), 300).columns[2],
    ).toMatchObject({ from: 0.25, to: 0.875 });
    expect(heatPlaces([layer(5)])).toEqual([0, 1]);
    expect(heatPlaces([layer(5), layer(5)])).toEqual([0, 0.5, 1]);
  });
});
