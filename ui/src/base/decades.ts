/** Values that span less are spread evenly enough on any axis. */
const LEAST = 10;
/** Values that span as much have a logarithmic axis, however they are spread. */
const MOST = 100;

/** Whether positive values belong on a logarithmic axis, such as learning rates from 3e-4 to 0.01. */
export function spansDecades(values: Iterable<number>): boolean {
  const sorted = [...new Set(values)].filter(Number.isFinite).sort((a, b) => a - b);
  const [least = NaN, most = NaN] = [sorted[0], sorted.at(-1)];
  if (!(least > 0) || most < LEAST * least) return false;
  if (most >= MOST * least) return true;
  // The median is nearer to the middle than on a linear axis.
  const median = sorted[sorted.length >> 1] ?? NaN;
  const share = (place: (value: number) => number): number =>
    (place(median) - place(least)) / (place(most) - place(least));
  return Math.abs(share(Math.log) - 0.5) <= Math.abs(share(Number) - 0.5);
}
