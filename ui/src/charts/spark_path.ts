/** With more points, the extremes of each column are drawn. */
const COLUMNS = 120;

/** A path through values in a box of this size, with gaps where they are not finite. */
export function sparkPath(values: ArrayLike<number>, width: number, height: number): string {
  let low = Infinity;
  let high = -Infinity;
  for (const value of Array.from(values)) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return '';
  const y = (value: number): string =>
    (high === low ? height / 2 : ((high - value) / (high - low)) * height).toFixed(2);
  const x = (i: number): string =>
    (values.length < 2 ? width : (i / (values.length - 1)) * width).toFixed(2);
  const shown =
    values.length <= 2 * COLUMNS
      ? Array.from({ length: values.length }, (_, i) => i)
      : extremes(values);
  let path = '';
  let pen = false;
  for (const i of shown) {
    const value = values[i] ?? NaN;
    if (Number.isFinite(value)) path += `${pen ? 'L' : 'M'}${x(i)} ${y(value)}`;
    pen = Number.isFinite(value);
  }
  return shown.length === 1 ? `M0 ${height / 2}H${width}` : path;
}

/** The least and the largest finite value per column, in order; without any, the first value. */
function extremes(values: ArrayLike<number>): number[] {
  const size = values.length / COLUMNS;
  return Array.from({ length: COLUMNS }, (_, column) => {
    const first = Math.floor(column * size);
    let low = first;
    let high = first;
    for (let i = first; i < Math.floor((column + 1) * size); i++) {
      const value = values[i] ?? NaN;
      if (!Number.isFinite(value)) continue;
      if (!((values[low] ?? NaN) <= value && Number.isFinite(values[low]))) low = i;
      if (!((values[high] ?? NaN) >= value && Number.isFinite(values[high]))) high = i;
    }
    return low <= high ? [low, high] : [high, low];
  }).flat();
}
