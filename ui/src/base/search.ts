function bisect(array: ArrayLike<number>, holds: (value: number) => boolean): number {
  let low = 0;
  let high = array.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(array[middle] ?? Infinity)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const lowerBound = (array: ArrayLike<number>, wanted: number): number =>
  bisect(array, (value) => value < wanted);

export const upperBound = (array: ArrayLike<number>, wanted: number): number =>
  bisect(array, (value) => value <= wanted);

export function nearestIndex(array: ArrayLike<number>, wanted: number): number {
  const next = lowerBound(array, wanted);
  if (next === 0) return array.length === 0 ? -1 : 0;
  if (next === array.length) return next - 1;
  const before = array[next - 1] ?? -Infinity;
  const after = array[next] ?? Infinity;
  return wanted - before <= after - wanted ? next - 1 : next;
}
