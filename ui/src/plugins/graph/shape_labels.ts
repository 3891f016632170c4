import type { Point } from './layout';
import type { Line } from './scene';

export interface ShapeLabel {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly from: string;
  readonly to: string;
}

const HEIGHT = 12;
const CHARACTER = 6;

/** A label in the middle of each edge, between two ranks; those that would cover others are left out. */
export function shapeLabels(lines: readonly Line[]): readonly ShapeLabel[] {
  const rows = new Map<number, { left: number; right: number }[]>();
  const known = new Set<string>();
  return lines.flatMap(({ shape, points, from, to, apart }): ShapeLabel[] => {
    // The same tensor leads to several boxes: one label is enough.
    const key = JSON.stringify([from, shape]);
    if (shape === '' || apart || known.has(key)) return [];
    const spot = betweenRanks(points);
    if (!spot) return [];
    const [x, y] = spot;
    const half = (shape.length * CHARACTER) / 2 + 3;
    const at = Math.round(y / HEIGHT);
    const near = [at - 1, at, at + 1].flatMap((row) => rows.get(row) ?? []);
    if (near.some(({ left, right }) => x - half < right && x + half > left)) return [];
    known.add(key);
    rows.set(at, [...(rows.get(at) ?? []), { left: x - half, right: x + half }]);
    return [{ x, y, text: shape, from, to }];
  });
}

const LEAST_HEIGHT = 20;

/** The middle of the first part that leads from one rank to the next. */
function betweenRanks(points: readonly Point[]): Point | null {
  for (let i = 0; i + 1 < points.length; i++) {
    const [[x0, y0], [x1, y1]] = [points[i] ?? [0, 0], points[i + 1] ?? [0, 0]];
    if (Math.abs(y1 - y0) >= LEAST_HEIGHT) return [(x0 + x1) / 2, (y0 + y1) / 2];
  }
  return null;
}
