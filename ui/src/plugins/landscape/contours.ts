export interface Surface {
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** z[j][i] is the height at x[i], y[j]. */
  readonly z: readonly (readonly number[])[];
}

export type Segment = readonly [x1: number, y1: number, x2: number, y2: number];

/** Lowest and highest of a surface; heights that are no numbers don't count. */
export function heights({ z }: Surface): [low: number, high: number] {
  const all = z.flat().filter((one) => Number.isFinite(one));
  return all.reduce<[number, number]>(([low, high], one) => [Math.min(low, one), Math.max(high, one)], [Infinity, -Infinity]);
}

/** Heights at which lines are drawn: so many, equally far apart, none at the ends. */
export function levels([low, high]: readonly [number, number], count: number): number[] {
  return Number.isFinite(low) && high > low ? Array.from({ length: count }, (_, i) => low + ((i + 1) * (high - low)) / (count + 1)) : [];
}

/** The line of one height, as segments: each cell of the grid is cut where its edges cross the height. */
export function contour({ x, y, z }: Surface, level: number): Segment[] {
  const found: Segment[] = [];
  for (let j = 0; j + 1 < y.length; j++) {
    for (let i = 0; i + 1 < x.length; i++) {
      const corner = (di: number, dj: number): [number, number, number] => [x[i + di] ?? NaN, y[j + dj] ?? NaN, z[j + dj]?.[i + di] ?? NaN];
      const around = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
      const cuts: [number, number][] = [];
      around.forEach(([ax, ay, az], k) => {
        const [bx, by, bz] = around[(k + 1) % 4] ?? [NaN, NaN, NaN];
        if (az < level === bz < level || !Number.isFinite(az) || !Number.isFinite(bz)) return;
        const share = (level - az) / (bz - az);
        cuts.push([ax + share * (bx - ax), ay + share * (by - ay)]);
      });
      for (let k = 0; k + 1 < cuts.length; k += 2) {
        const [a, b] = [cuts[k], cuts[k + 1]];
        if (a && b) found.push([a[0], a[1], b[0], b[1]]);
      }
    }
  }
  return found;
}
