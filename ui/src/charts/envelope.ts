const KEPT = 4;

/** First, minimum, maximum, last per bucket. Values that are not numbers stay gaps. */
export function envelope(x: Float64Array, y: Float64Array) {
  const last: number[] = [];
  const low: number[] = [];
  const high: number[] = [];
  let i = 0;
  while (i < y.length) {
    let bottom = y[i] ?? NaN;
    let top = bottom;
    let end = i + 1;
    // The first point is a bucket by itself: the line starts where its series does.
    if (!Number.isNaN(bottom) && i > 0) {
      while (end < y.length && end < i + KEPT && !Number.isNaN(y[end])) {
        const value = y[end++] ?? NaN;
        if (value < bottom) bottom = value;
        if (value > top) top = value;
      }
    }
    last.push(end - 1);
    low.push(bottom);
    high.push(top);
    i = end;
  }
  const indices = Int32Array.from(last);
  return {
    last: indices,
    band: { x: pick(x, indices), low: Float64Array.from(low), high: Float64Array.from(high) },
  };
}

export function pick(values: Float64Array, indices: Int32Array): Float64Array {
  const picked = new Float64Array(indices.length);
  for (let i = 0; i < indices.length; i++) picked[i] = values[indices[i] ?? 0] ?? NaN;
  return picked;
}
