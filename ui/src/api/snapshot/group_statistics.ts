/** Statistics over the series of a group of runs, as `group_statistics.py` of the server computes them. */

/** Points of a series, x ascending. */
export interface GroupPoints {
  readonly x: Float64Array;
  readonly value: Float64Array;
}

interface Points {
  readonly step: Float64Array;
  readonly wall_time: Float64Array;
  readonly value: Float64Array;
}

interface Range {
  readonly x: 'step' | 'relative' | 'wall';
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

const COLUMNS = ['x', 'n', 'mean', 'median', 'min', 'max', 'std', 'confidence'] as const;
type Column = (typeof COLUMNS)[number];
type Statistics = Readonly<Record<Column, number>>;

/** Two-sided 95 % quantiles of Student's t for 1 to 30 degrees of freedom. */
const T_95 = [
  12.706204736, 4.30265273, 3.182446305, 2.776445105, 2.570581836, 2.446911851, 2.364624252,
  2.306004135, 2.262157163, 2.228138852, 2.20098516, 2.17881283, 2.160368656, 2.144786688,
  2.131449546, 2.119905299, 2.109815578, 2.10092204, 2.093024054, 2.085963447, 2.079613845,
  2.073873068, 2.06865761, 2.063898562, 2.059538553, 2.055529439, 2.051830516, 2.048407142,
  2.045229642, 2.042272456,
];
const Z = 1.959963984540054;
const LARGE = 1e150;
/** A power of two, so that the division is exact. */
const SCALE = 2 ** 600;

/** A series that goes on beyond `start` or `end` has its last finite value before it there. */
export function groupPoints(points: Points, { x: axis, start, end }: Range): GroupPoints {
  const { step, wall_time: time, value } = points;
  // Clocks may go back; points without a time are left out.
  const order =
    axis === 'step'
      ? [...step.keys()]
      : [...time.keys()]
          .filter((at) => Number.isFinite(time[at]))
          .sort((a, b) => (time[a] ?? 0) - (time[b] ?? 0));
  const origin = axis === 'relative' ? (time[order[0] ?? 0] ?? 0) : 0;
  const along = axis === 'step' ? step : time;
  const x = Float64Array.from(order, (at) => (along[at] ?? NaN) - origin);
  const all = { x, value: Float64Array.from(order, (at) => value[at] ?? NaN) };
  return start === undefined && end === undefined ? all : within(finite(all), start, end);
}

function within(points: GroupPoints, start = -Infinity, end = Infinity): GroupPoints {
  const { x, value } = points;
  if (x.length === 0 || start > (x.at(-1) ?? NaN))
    return { x: x.slice(0, 0), value: x.slice(0, 0) };
  const until = after(x, end);
  const since = Math.max(0, after(x.subarray(0, until), start) - 1);
  const inside = {
    x: x.slice(since, until).map((at) => Math.max(at, start)),
    value: value.slice(since, until),
  };
  if (until === 0 || until === x.length || (x[until - 1] ?? NaN) === end) return inside;
  return {
    x: Float64Array.of(...inside.x, end),
    value: Float64Array.of(...inside.value, inside.value.at(-1) ?? NaN),
  };
}

/** Columns over a grid: the union of all x, or `mostPoints` equally spaced ones if there are more. */
export function groupStatistics(
  series: readonly GroupPoints[],
  mostPoints: number,
): Record<Column, Float64Array> {
  const present = series.map(finite).filter(({ x }) => x.length > 0);
  const grid = gridOf(present, mostPoints);
  const rows = present.map((points) => valuesOn(grid, points));
  const statistics = Array.from(grid, (x, column) =>
    statisticsOf(
      x,
      rows.map((row) => row[column] ?? NaN).filter((one) => !Number.isNaN(one)),
    ),
  );
  const columns = COLUMNS.map((name) => [name, Float64Array.from(statistics, (at) => at[name])]);
  return Object.fromEntries(columns) as Record<Column, Float64Array>;
}

function finite({ x, value }: GroupPoints): GroupPoints {
  const kept = [...x.keys()].filter((at) => Number.isFinite(x[at]) && Number.isFinite(value[at]));
  return {
    x: Float64Array.from(kept, (at) => x[at] ?? NaN),
    value: Float64Array.from(kept, (at) => value[at] ?? NaN),
  };
}

function gridOf(series: readonly GroupPoints[], mostPoints: number): Float64Array {
  const every = new Set<number>();
  for (const { x } of series) for (const at of x) every.add(at);
  const grid = Float64Array.from(every).sort();
  if (grid.length <= mostPoints) return grid;
  // Halved: the difference of the ends may overflow.
  const [first, last] = [(grid[0] ?? 0) / 2, (grid.at(-1) ?? 0) / 2];
  const distance = (last - first) / (mostPoints - 1);
  return Float64Array.from(
    { length: mostPoints },
    (_, i) => 2 * (i === mostPoints - 1 ? last : first + i * distance),
  );
}

/** The value of the last point at or before each x of the grid; NaN before the first and after the last point. */
function valuesOn(grid: Float64Array, { x, value }: GroupPoints): Float64Array {
  const last = x.at(-1) ?? NaN;
  let next = 0;
  return grid.map((at) => {
    while ((x[next] ?? Infinity) <= at) next++;
    return next > 0 && at <= last ? (value[next - 1] ?? NaN) : NaN;
  });
}

function statisticsOf(x: number, values: readonly number[]): Statistics {
  const n = values.length;
  // Scaled down so that sums and squares do not overflow.
  const scale = values.some((one) => Math.abs(one) > LARGE) ? SCALE : 1;
  const scaled = values.map((one) => one / scale);
  const mean = scaled.reduce((sum, one) => sum + one, 0) / n;
  const squares = scaled.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const std = n > 1 ? Math.sqrt(squares / (n - 1)) : NaN;
  const ordered = scaled.sort((a, b) => a - b);
  const at = (place: number): number => ordered[Math.floor(place)] ?? NaN;
  return {
    x,
    n,
    mean: mean * scale,
    median: ((at((n - 1) / 2) + at(n / 2)) / 2) * scale,
    min: at(0) * scale,
    max: at(n - 1) * scale,
    std: std * scale,
    confidence: (std / Math.sqrt(n)) * quantile(n - 1) * scale,
  };
}

/** Beyond the table by a series expansion (error below 1e-4). */
const quantile = (degrees: number): number =>
  T_95[degrees - 1] ??
  Z + (Z ** 3 + Z) / (4 * degrees) + (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / (96 * degrees ** 2);

/** The number of x up to `bound`. */
function after(x: Float64Array, bound: number): number {
  const found = x.findIndex((one) => one > bound);
  return found < 0 ? x.length : found;
}
