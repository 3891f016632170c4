import { lowerBound, upperBound } from '@/base/search';

export const SCALES = ['linear', 'log', 'quantile'] as const;
export type Scale = (typeof SCALES)[number];

export interface ScaledPlaces {
  /** `linear` if there are values without a logarithm. */
  readonly scale: Scale;
  readonly places: Float64Array;
  readonly valueAt: (place: number) => number;
}

/** Missing values are NaN. */
export function scaledPlaces(values: Float64Array, scale: Scale): ScaledPlaces {
  const there = values.filter((value) => !Number.isNaN(value)).sort();
  if (scale === 'log' && (there[0] ?? 0) > 0)
    return { scale, places: values.map(Math.log10), valueAt: (place) => 10 ** place };
  if (scale === 'quantile' && there.length > 1) {
    const last = there.length - 1;
    return {
      scale,
      // Equal values share the mean of their ranks.
      places: values.map((value) =>
        Number.isNaN(value)
          ? NaN
          : (lowerBound(there, value) + upperBound(there, value) - 1) / 2 / last,
      ),
      valueAt: (place) => quantile(there, place),
    };
  }
  return { scale: 'linear', places: values, valueAt: (place) => place };
}

function quantile(sorted: Float64Array, share: number): number {
  const rank = Math.min(1, Math.max(0, share)) * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(rank)] ?? NaN, sorted[Math.ceil(rank)] ?? NaN];
  return low + (high - low) * (rank - Math.floor(rank));
}
