import type { Line } from './line';

export function line(
  id: string,
  x: readonly number[],
  y: readonly number[],
  more: Partial<Line> = {},
): Line {
  return {
    id,
    label: id,
    color: '#4269d0',
    dash: [],
    x: Float64Array.from(x),
    y: Float64Array.from(y),
    raw: null,
    step: Float64Array.from(x),
    wallTime: Float64Array.from(x, (step) => 1_000 + step),
    origin: 1_000,
    band: null,
    marks: [],
    ...more,
  };
}
