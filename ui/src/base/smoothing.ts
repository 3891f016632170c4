/**
 * Debiased exponential moving average: `last = weight * last + (1 - weight) * value`, divided by
 * `1 - weight^n` so that the start is not pulled to zero. NaN stays NaN at its place and leaves
 * the average untouched; infinities are passed on, not averaged in. Weight 0 is the identity.
 */
export function smooth(values: Float64Array, weight: number): Float64Array {
  const smoothed = new Float64Array(values.length);
  let last = 0;
  let bias = 1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? NaN;
    if (Number.isFinite(value)) {
      last = weight * last + (1 - weight) * value;
      bias *= weight;
      smoothed[i] = last / (1 - bias);
    } else {
      smoothed[i] = value;
    }
  }
  return smoothed;
}
