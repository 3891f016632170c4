import { PALETTES, type Theme } from '@/base/job_colours';

/** Colours of points by a column of their labels: as many as there are values, up to ten, then one for the rest. */
export interface ColouredPoints {
  readonly colours: readonly string[];
  /** Values and their colours, the most frequent first. */
  readonly legend: readonly { readonly value: string; readonly colour: string; readonly count: number }[];
}

/** `values` is one text per point; null: all points are alike. */
export function colourPoints(values: readonly string[] | null, count: number, theme: Theme, plain: string): ColouredPoints {
  if (!values) return { colours: Array.from({ length: count }, () => plain), legend: [] };
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const palette: readonly string[] = PALETTES[theme];
  const ranked = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const byValue = new Map(ranked.map(([value], i) => [value, palette[i] ?? plain]));
  return {
    colours: values.map((value) => byValue.get(value) ?? plain),
    legend: ranked.slice(0, palette.length).map(([value, n]) => ({ value, colour: byValue.get(value) ?? plain, count: n })),
  };
}

/** The column that tells most about groups: the fewest different texts, but more than one; -1: all names differ. */
export function groupingColumn(labels: readonly (readonly string[])[], columns: number): number {
  let best = -1;
  let fewest = Math.max(2, labels.length);
  for (let column = 0; column < columns; column++) {
    const values = new Set(labels.map((texts) => texts[column])).size;
    if (values > 1 && values < fewest) [best, fewest] = [column, values];
  }
  return best;
}
