import type { Area } from '@/base/shapes';

import { bucketAt, countOf, sharesOf, type Bucket, type Buckets } from './buckets';

export interface HistogramLayer {
  readonly x: number;
  readonly label: string;
  readonly buckets: Buckets;
}

export type HistogramMode = 'ridges' | 'overlay' | 'heat';

export interface HistogramScene {
  readonly mode: HistogramMode;
  readonly layers: readonly HistogramLayer[];
  readonly range: readonly [number, number];
  readonly xLabel: (x: number) => string;
  readonly lit: number;
  /** The largest share, if several charts have the same scale. */
  readonly peak?: number;
  /** Number of bins of equal width; absent: as many as the chart can show. */
  readonly bins?: number | undefined;
}

export const MOST_RIDGES = 60;
export const BINS = 120;
const HEAT_BINS = 64;

export function selectedLayers(count: number, most: number, lit: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  const selected = new Set(
    Array.from({ length: most }, (_, i) => Math.round((i * (count - 1)) / (most - 1))),
  );
  if (lit >= 0) selected.add(lit);
  return [...selected].sort((a, b) => a - b);
}

export interface Ridge {
  readonly index: number;
  readonly base: number;
  readonly shares: Float64Array;
}

export function ridgesOf(
  scene: HistogramScene,
  area: Area,
): { ridges: Ridge[]; tallest: number; height: number } {
  const selected = selectedLayers(scene.layers.length, MOST_RIDGES, scene.lit);
  const first = scene.layers[0]?.x ?? 0;
  const span = (scene.layers[scene.layers.length - 1]?.x ?? 0) - first;
  const apart = scene.mode === 'ridges' && span > 0;
  const height = apart ? area.height * 0.4 : area.height * 0.94;
  let tallest = 0;
  const ridges = selected.map((index) => {
    const layer = scene.layers[index];
    const shares = sharesOf(layer?.buckets ?? [], scene.range, scene.bins ?? BINS);
    tallest = Math.max(tallest, ...shares);
    const depth = apart ? ((layer?.x ?? first) - first) / span : 1;
    return { index, base: area.top + height + (area.height - height) * depth, shares };
  });
  return { ridges, tallest: Math.max(tallest, scene.peak ?? 0) || 1, height };
}

export function peakOf(scene: HistogramScene): number {
  const area = { left: 0, top: 0, width: 1000, height: 1 };
  return scene.mode === 'heat'
    ? heatMapOf(scene, area.width).largest
    : ridgesOf(scene, area).tallest;
}

export function heightAt(ridge: Ridge, tallest: number, height: number, part: number): number {
  const { length } = ridge.shares;
  const bin = Math.min(length - 1, Math.max(0, Math.floor(part * length)));
  return ridge.base - ((ridge.shares[bin] ?? 0) / tallest) * height;
}

/** The bucket of a layer at a value: as logged, or of the scene's equal bins. */
export function shownBucket(
  { range, bins }: Pick<HistogramScene, 'range' | 'bins'>,
  buckets: Buckets,
  value: number,
): Bucket | null {
  if (bins === undefined) return bucketAt(buckets, value);
  const [low, high] = range;
  const bin = Math.min(bins - 1, Math.max(0, Math.floor(((value - low) / (high - low)) * bins)));
  const edge = (at: number): number => low + ((high - low) * at) / bins;
  const count = (sharesOf(buckets, range, bins)[bin] ?? 0) * countOf(buckets);
  return [edge(bin), edge(bin + 1), count];
}

/** Where layers begin, as shares of the width, and 1. The last is as wide as the median. */
export function heatPlaces(layers: readonly HistogramLayer[]): number[] {
  const first = layers[0]?.x ?? 0;
  const apart = layers
    .slice(1)
    .map(({ x }, i) => x - (layers[i]?.x ?? x))
    .filter((distance) => distance > 0)
    .sort((a, b) => a - b);
  const usual = apart[Math.floor(apart.length / 2)];
  const span = (layers[layers.length - 1]?.x ?? 0) - first + (usual ?? 0);
  return [...layers.map(({ x }, i) => (span > 0 ? (x - first) / span : i / layers.length)), 1];
}

export const heatLayerAt = (places: readonly number[], part: number): number =>
  Math.max(
    0,
    places.findLastIndex((place, i) => i < places.length - 1 && place <= part),
  );

/** At most one column per pixel: steps in one pixel are averaged. */
export function heatMapOf(scene: HistogramScene, width: number) {
  const places = heatPlaces(scene.layers);
  const bins = scene.bins ?? HEAT_BINS;
  const pixels = Math.max(1, Math.floor(width));
  const sums: { pixel: number; from: number; shares: Float64Array; count: number }[] = [];
  scene.layers.forEach((layer, i) => {
    const from = places[i] ?? 0;
    const pixel = Math.min(pixels - 1, Math.floor(from * pixels));
    let column = sums[sums.length - 1];
    if (column?.pixel !== pixel) {
      column = { pixel, from, shares: new Float64Array(bins), count: 0 };
      sums.push(column);
    }
    column.count++;
    const { shares } = column;
    sharesOf(layer.buckets, scene.range, bins).forEach((share, bin) => {
      shares[bin] = (shares[bin] ?? 0) + share;
    });
  });
  const columns = sums.map(({ from, shares, count }, i) => ({
    from,
    to: sums[i + 1]?.from ?? 1,
    shares: shares.map((share) => share / count),
  }));
  return {
    columns,
    largest: Math.max(...columns.map(({ shares }) => Math.max(...shares)), scene.peak ?? 0) || 1,
  };
}
