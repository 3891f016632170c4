import { projectionOf } from './measure';
import { tracePath } from './paint';
import { svgPath } from './svg';

/** A path through values in a box of this size, with gaps where they are not finite. */
export function sparkPath(values: ArrayLike<number>, width: number, height: number): string {
  const y = Float64Array.from(values);
  const finite = y.filter(Number.isFinite);
  if (finite.length === 0) return '';
  if (y.length === 1) return `M0 ${height / 2}H${width}`;
  const low = finite.reduce((a, b) => Math.min(a, b));
  const high = finite.reduce((a, b) => Math.max(a, b));
  const range = low === high ? ([low - 1, high + 1] as const) : ([low, high] as const);
  const measure = { x: [0, y.length - 1], y: range, logX: false, logY: false } as const;
  const to = projectionOf(measure, width, height);
  return svgPath((path) =>
    tracePath(
      path,
      y.map((_, i) => i),
      y,
      to,
    ),
  );
}
