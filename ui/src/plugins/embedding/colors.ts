import type { LabelColumn } from './api';
import { PALETTES, type Theme } from '@/base/job_colors';

/** Colors by label: the ten most frequent labels, then one color for the rest. */
export interface ColoredPoints {
  readonly colors: Uint8Array;
  readonly legend: readonly {
    readonly value: string;
    readonly color: string;
    readonly count: number;
  }[];
}

/** Colors are `#rrggbb`. Without a column all points are `plain`. */
export function colorPoints(
  column: LabelColumn | null,
  count: number,
  theme: Theme,
  plain: string,
): ColoredPoints {
  if (!column) return { colors: painted(count, () => plain), legend: [] };
  const { values, codes } = column;
  const counts = new Uint32Array(values.length);
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  const palette: readonly string[] = PALETTES[theme];
  const ranked = mostFrequent(values, counts, palette.length);
  const byCode = new Map(ranked.map((code, i) => [code, palette[i] ?? plain]));
  return {
    colors: painted(count, (i) => byCode.get(codes[i] ?? -1) ?? plain),
    legend: ranked.map((code) => ({
      value: values[code] ?? '',
      color: byCode.get(code) ?? plain,
      count: counts[code] ?? 0,
    })),
  };
}

/** Codes of values, most frequent first, then alphabetically. */
function mostFrequent(values: readonly string[], counts: Uint32Array, most: number): number[] {
  const before = (a: number, b: number): boolean => {
    const [n, m] = [counts[a] ?? 0, counts[b] ?? 0];
    return n === m ? (values[a] ?? '') < (values[b] ?? '') : n > m;
  };
  // Selects ten of possibly a million values without sorting all.
  const found: number[] = [];
  for (let code = 0; code < values.length; code++) {
    const last = found.at(-1);
    if (found.length === most && last !== undefined && !before(code, last)) continue;
    let at = found.length;
    while (at > 0 && before(code, found[at - 1] ?? -1)) at--;
    found.splice(at, 0, code);
    if (found.length > most) found.pop();
  }
  return found;
}

function painted(count: number, colorOf: (index: number) => string): Uint8Array {
  const known = new Map<string, number>();
  const channels = new Uint8Array(3 * count);
  for (let i = 0; i < count; i++) {
    const color = colorOf(i);
    let value = known.get(color);
    if (value === undefined) known.set(color, (value = parseInt(color.slice(1), 16)));
    channels[3 * i] = value >> 16;
    channels[3 * i + 1] = (value >> 8) & 255;
    channels[3 * i + 2] = value & 255;
  }
  return channels;
}

/** The column with the fewest distinct values, but more than one; -1: all are unique. */
export function groupingColumn(labels: readonly LabelColumn[], count: number): number {
  let best = -1;
  let fewest = Math.max(2, count);
  labels.forEach(({ values }, column) => {
    if (values.length > 1 && values.length < fewest) [best, fewest] = [column, values.length];
  });
  return best;
}
