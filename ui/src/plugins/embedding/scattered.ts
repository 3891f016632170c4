export const MOST_DOTS = 400;

/** Points scaled to a box of this size, by the first two of their three coordinates. */
export function scattered(
  places: Float32Array,
  width: number,
  height: number,
): readonly { readonly x: number; readonly y: number }[] {
  const points = Array.from(
    { length: places.length / 3 },
    (_, i) => [places[3 * i] ?? NaN, places[3 * i + 1] ?? NaN] as const,
  );
  const shown = points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
  const along = (at: 0 | 1, length: number): ((point: readonly [number, number]) => number) => {
    const values = shown.map((point) => point[at]);
    const low = Math.min(...values);
    const span = Math.max(...values) - low;
    return (point) => (span > 0 ? ((point[at] - low) / span) * length : length / 2);
  };
  const [x, y] = [along(0, width), along(1, height)];
  return shown.map((point) => ({ x: x(point), y: height - y(point) }));
}
