/** More dots than this are one blot. */
const MOST = 400;

/** Where points stand in a box of this size, by their first two numbers; of many every n-th. */
export function scattered(
  points: readonly (readonly number[])[], width: number, height: number,
): readonly { readonly x: number; readonly y: number }[] {
  const every = Math.max(1, Math.ceil(points.length / MOST));
  const shown = points.filter(([x, y], i) => i % every === 0 && Number.isFinite(x) && Number.isFinite(y ?? 0));
  const along = (at: 0 | 1, length: number): ((point: readonly number[]) => number) => {
    const values = shown.map((point) => point[at] ?? 0);
    const low = Math.min(...values);
    const span = Math.max(...values) - low;
    return (point) => (span > 0 ? (((point[at] ?? 0) - low) / span) * length : length / 2);
  };
  const [x, y] = [along(0, width), along(1, height)];
  return shown.map((point) => ({ x: x(point), y: height - y(point) }));
}
