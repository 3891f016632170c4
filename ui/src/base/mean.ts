/** Mean and sample deviation of finite values, or null. */
export function meanOf(
  values: Iterable<unknown>,
): { mean: number; deviation: number; count: number } | null {
  let count = 0;
  let mean = 0;
  let squares = 0;
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isFinite(value)) continue;
    count++;
    // Welford's algorithm avoids subtracting large sums.
    const off = value - mean;
    mean += off / count;
    squares += off * (value - mean);
  }
  return count === 0
    ? null
    : { mean, deviation: count < 2 ? 0 : Math.sqrt(squares / (count - 1)), count };
}
