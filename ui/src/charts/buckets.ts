export type Bucket = readonly [number, number, number];
/** Ascending. Widths may differ and may be 0 if all values are equal. */
export type Buckets = readonly Bucket[];

export const countOf = (buckets: Buckets): number =>
  buckets.reduce((sum, [, , count]) => sum + count, 0);

/** The range of the buckets that are not empty; null if all are. */
export function rangeOf(histograms: Iterable<Buckets>): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (const buckets of histograms) {
    for (const [left, right, count] of buckets) {
      if (count <= 0) continue;
      // Writers open the outermost buckets to ±1e308: no picture can show that.
      if (Math.abs(left) < 1e300) low = Math.min(low, left);
      if (Math.abs(right) < 1e300) high = Math.max(high, right);
    }
  }
  if (low > high) return null;
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

/** Shares of the values per bin, spread evenly within each bucket. */
export function sharesOf(
  buckets: Buckets,
  [low, high]: readonly [number, number],
  bins: number,
): Float64Array {
  const shares = new Float64Array(bins);
  const total = countOf(buckets);
  if (total <= 0 || !(high > low)) return shares;
  const scale = bins / (high - low);
  for (const [left, right, count] of buckets) {
    if (count <= 0) continue;
    const from = Math.min(bins, Math.max(0, (Math.max(left, low) - low) * scale));
    const to = Math.min(bins, Math.max(from, (Math.min(right, high) - low) * scale));
    const first = Math.min(bins - 1, Math.floor(from));
    const last = Math.min(bins - 1, Math.max(first, Math.ceil(to) - 1));
    if (to - from < 1e-12) {
      shares[first] = (shares[first] ?? 0) + count / total;
      continue;
    }
    for (let bin = first; bin <= last; bin++) {
      const part = (Math.min(to, bin + 1) - Math.max(from, bin)) / (to - from);
      shares[bin] = (shares[bin] ?? 0) + (count / total) * part;
    }
  }
  return shares;
}

/** Percentiles, with values spread evenly within buckets; NaN without values. */
export function percentilesOf(buckets: Buckets, shares: readonly number[]): number[] {
  const filled = buckets.filter(([, , count]) => count > 0);
  const total = countOf(filled);
  return shares.map((share) => {
    let before = 0;
    for (const [left, right, count] of filled) {
      const reached = share * total - before;
      if (reached <= count) return left + (right - left) * Math.max(0, reached / count);
      before += count;
    }
    return filled[filled.length - 1]?.[1] ?? NaN;
  });
}

export function bucketAt(buckets: Buckets, value: number): Bucket | null {
  for (let i = 0; i < buckets.length; i++) {
    const bucket = buckets[i];
    if (!bucket || value < bucket[0]) continue;
    if (
      value < bucket[1] ||
      (value === bucket[1] && i === buckets.length - 1) ||
      bucket[0] === value
    )
      return bucket;
  }
  return null;
}
