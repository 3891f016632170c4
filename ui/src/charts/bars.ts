import type { Line } from './line';

export interface Bar {
  readonly id: string;
  readonly label: string;
  readonly color: string;
  readonly value: number;
  /** Shares of the width; both 0 without a finite value. */
  readonly start: number;
  readonly length: number;
}

/** A bar per line of one point, from zero to its value; the largest first, NaN last. */
export function barsOf(lines: readonly Line[]): Bar[] {
  const values = lines.map(({ y }) => y[0] ?? NaN);
  const finite = values.filter(Number.isFinite);
  const low = Math.min(0, ...finite);
  const span = Math.max(0, ...finite) - low || 1;
  return lines
    .map(({ id, label, color }, i) => {
      const value = values[i] ?? NaN;
      const isDrawn = Number.isFinite(value);
      return {
        id,
        label,
        color,
        value,
        start: isDrawn ? (Math.min(0, value) - low) / span : 0,
        length: isDrawn ? Math.abs(value) / span : 0,
      };
    })
    .sort((a, b) => Number(isNaN(a.value)) - Number(isNaN(b.value)) || b.value - a.value);
}
