/** Points that show the course of a series; `sampling.py` of the server chooses the same. */
const PER_BUCKET = 4;

/** Ascending indices of at most `most` points (>= 1). NaN leaves gaps. */
export function minmax(value: Float64Array, most: number): number[] {
  if (value.length <= most) return Array.from(value.keys());
  if (most < PER_BUCKET) return veryFew(value, most);
  return value.some(Number.isNaN)
    ? aroundGaps(value, most)
    : distinct(extremes(value, Math.floor(most / PER_BUCKET)).flat());
}

function aroundGaps(value: Float64Array, most: number): number[] {
  const present: number[] = [];
  const gaps: number[] = [];
  value.forEach((one, at) => (Number.isNaN(one) ? gaps : present).push(at));
  if (present.length === 0) return [0];
  const runs = evenly(
    gaps.filter((at, i) => i === 0 || at > (gaps[i - 1] ?? 0) + 1),
    Math.min(Math.floor(most / 2), most - PER_BUCKET),
  );
  const room = most - runs.length;
  if (present.length <= room) return ascending([...present, ...runs]);
  const kept = extremes(value, Math.floor(room / PER_BUCKET)).filter(
    ([, at = 0]) => !Number.isNaN(value[at]),
  );
  return distinct(ascending([...kept.flat(), ...runs]));
}

function veryFew(value: Float64Array, most: number): number[] {
  const present = Array.from(value.keys()).filter((at) => !Number.isNaN(value[at]));
  const [first, last] = [present[0], present.at(-1)];
  if (first === undefined || last === undefined) return [0];
  const highest = present.reduce(
    (best, at) => ((value[at] ?? 0) > (value[best] ?? 0) ? at : best),
    first,
  );
  return distinct(ascending([last, first, highest].slice(0, most)));
}

/** First, minimum, maximum and last of each bucket; the first buckets have one more point. */
function extremes(value: Float64Array, buckets: number): number[][] {
  const size = Math.floor(value.length / buckets);
  const longer = value.length % buckets;
  let end = 0;
  return Array.from({ length: buckets }, (_, bucket) => {
    const start = end;
    end += size + (bucket < longer ? 1 : 0);
    return bucketExtremes(value, start, end);
  });
}

function bucketExtremes(value: Float64Array, start: number, end: number): number[] {
  let [first, last, low, high] = [-1, -1, -1, -1];
  for (let at = start; at < end; at++) {
    const one = value[at] ?? NaN;
    if (Number.isNaN(one)) continue;
    if (first < 0) first = low = high = at;
    if (one < (value[low] ?? 0)) low = at;
    if (one > (value[high] ?? 0)) high = at;
    last = at;
  }
  return first < 0
    ? [start, start, start, end - 1]
    : [first, Math.min(low, high), Math.max(low, high), last];
}

/** At most `count` of them, evenly spread, including the last. */
const evenly = (indices: readonly number[], count: number): number[] =>
  indices.length <= count
    ? [...indices]
    : Array.from(
        { length: count },
        (_, i) => indices[Math.floor(((i + 1) * indices.length) / count) - 1] ?? 0,
      );

const ascending = (indices: number[]): number[] => indices.sort((a, b) => a - b);

const distinct = (indices: readonly number[]): number[] =>
  indices.filter((at, i) => i === 0 || at > (indices[i - 1] ?? -1));
