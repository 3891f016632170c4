import type { CurvePoint } from './curve';

/** Position of the point nearest to an x; of several the highest. -1: there are none. */
export function nearestPoint(points: readonly CurvePoint[], x: number): number {
  let nearest = -1;
  let least = Infinity;
  points.forEach((point, i) => {
    const distance = Math.abs(point.x - x);
    const isHigher = point.y > (points[nearest]?.y ?? -Infinity);
    if (distance < least - 1e-12 || (distance < least + 1e-12 && isHigher)) {
      nearest = i;
      least = distance;
    }
  });
  return nearest;
}

/** The next x of any curve to the right (1) or left (-1) of x; the same if there is none. */
export function nextX(
  curves: Iterable<readonly CurvePoint[]>,
  x: number,
  direction: number,
): number {
  let next = x;
  let least = Infinity;
  for (const points of curves)
    for (const point of points) {
      const distance = (point.x - x) * direction;
      if (distance > 1e-9 && distance < least) [next, least] = [point.x, distance];
    }
  return next;
}
