import { sharesOf, type Buckets } from './buckets';

/** Histograms of one series, and how they are drawn. Plain data. */
export interface HistogramLayer {
  /** Where it stands on the axis of steps: a step, or seconds. */
  readonly x: number;
  readonly label: string;
  readonly buckets: Buckets;
}

export type HistogramMode = 'ridges' | 'overlay' | 'heat';

export interface HistogramScene {
  readonly mode: HistogramMode;
  /** By x, ascending. */
  readonly layers: readonly HistogramLayer[];
  /** Of the values. */
  readonly range: readonly [number, number];
  readonly xLabel: (x: number) => string;
  /** Index of the layer of the step looked at; -1: none. */
  readonly lit: number;
  /** The largest share that there is room for, where that is more than its own: scenes beside each other share it. */
  readonly peak?: number;
}

/** Where something lies, in CSS pixels. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Outlines of more would only cover each other. */
export const MOST_RIDGES = 60;
/** Of an outline. */
export const BINS = 120;
const HEAT_BINS = 64;

/** Indices of at most `most` of so many layers, evenly apart, with the last and the lit one. */
export function chosenLayers(count: number, most: number, lit: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  const chosen = new Set(
    Array.from({ length: most }, (_, i) => Math.round((i * (count - 1)) / (most - 1))),
  );
  if (lit >= 0) chosen.add(lit);
  return [...chosen].sort((a, b) => a - b);
}

/** One outline: shares of the bins, and where its base line lies, in pixels from the top. */
export interface Ridge {
  readonly index: number;
  readonly base: number;
  readonly shares: Float64Array;
}

/** Outlines from the back to the front, and the height that the largest share of all has. */
export function ridgesOf(
  scene: HistogramScene,
  area: Area,
): { ridges: Ridge[]; tallest: number; height: number } {
  const chosen = chosenLayers(scene.layers.length, MOST_RIDGES, scene.lit);
  const first = scene.layers[0]?.x ?? 0;
  const span = (scene.layers[scene.layers.length - 1]?.x ?? 0) - first;
  const apart = scene.mode === 'ridges' && span > 0;
  const height = apart ? area.height * 0.4 : area.height * 0.94;
  let tallest = 0;
  const ridges = chosen.map((index) => {
    const layer = scene.layers[index];
    const shares = sharesOf(layer?.buckets ?? [], scene.range, BINS);
    tallest = Math.max(tallest, ...shares);
    const depth = apart ? ((layer?.x ?? first) - first) / span : 1;
    return { index, base: area.top + height + (area.height - height) * depth, shares };
  });
  return { ridges, tallest: Math.max(tallest, scene.peak ?? 0) || 1, height };
}

/** The largest share of a scene: what its height, or its darkest shade, stands for. */
export function peakOf(scene: HistogramScene): number {
  const area = { left: 0, top: 0, width: 1000, height: 1 };
  return scene.mode === 'heat'
    ? heatMapOf(scene, area.width).largest
    : ridgesOf(scene, area).tallest;
}

/** Where an outline is above a value, in pixels from the top. */
export function heightAt(ridge: Ridge, tallest: number, height: number, part: number): number {
  const bin = Math.min(BINS - 1, Math.max(0, Math.floor(part * BINS)));
  return ridge.base - ((ridge.shares[bin] ?? 0) / tallest) * height;
}

/** A column of a map: from where to where, as shares of its width, and the shares of values in it. */
export interface HeatColumn {
  readonly from: number;
  readonly to: number;
  readonly shares: Float64Array;
}

/** A picture of columns of shares: steps from left to right, small values at the bottom. */
export interface HeatMap {
  readonly columns: readonly HeatColumn[];
  readonly largest: number;
}

/**
 * Where the layers of a map begin, as shares of its width, and, behind them, its end: each reaches
 * to the next one, as far as they are apart, and the last as far as is usual.
 */
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

/** The layer of a map at a share of its width. */
export function heatLayerAt(places: readonly number[], part: number): number {
  return Math.max(
    0,
    places.findLastIndex((place, i) => i < places.length - 1 && place <= part),
  );
}

/** As many columns as there are pixels at most: where steps share one, it shows their mean. */
export function heatMapOf(scene: HistogramScene, width: number): HeatMap {
  const places = heatPlaces(scene.layers);
  const pixels = Math.max(1, Math.floor(width));
  const sums: { pixel: number; from: number; shares: Float64Array; count: number }[] = [];
  scene.layers.forEach((layer, i) => {
    const from = places[i] ?? 0;
    const pixel = Math.min(pixels - 1, Math.floor(from * pixels));
    let column = sums[sums.length - 1];
    if (column?.pixel !== pixel) {
      column = { pixel, from, shares: new Float64Array(HEAT_BINS), count: 0 };
      sums.push(column);
    }
    column.count++;
    const { shares } = column;
    sharesOf(layer.buckets, scene.range, HEAT_BINS).forEach((share, bin) => {
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
