import { addTo } from '@/base/grouped';

import type { Flow, FlowQuestion, Point } from './layout';

/** Simple layered layout for flows too large for dagre and ELK. */
export function rankFlow({ flow, edges, sizes, ranks, gaps }: FlowQuestion): Flow {
  const rows: number[][] = [];
  for (const i of flow) (rows[ranks.get(i) ?? 0] ??= []).push(i);
  const sources = new Map<number, number[]>();
  for (const [from, to] of edges) addTo(sources, to, from);
  const middle = new Map<number, number>();
  const corners = new Map<number, Point>();
  let y = 0;
  let left = Infinity;
  for (const row of rows) {
    // Ranks without boxes are empty places in the array.
    if (!(row as number[] | undefined)) continue;
    const wanted = new Map(
      row.map((i) => {
        const known = (sources.get(i) ?? []).flatMap((from) => middle.get(from) ?? []);
        return [i, known.length === 0 ? 0 : known.reduce((sum, x) => sum + x, 0) / known.length];
      }),
    );
    row.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
    const width = row.reduce((sum, i) => sum + sizes(i).width + gaps.beside, -gaps.beside);
    let x = -width / 2;
    let tallest = 0;
    left = Math.min(left, x);
    for (const i of row) {
      const size = sizes(i);
      corners.set(i, [x, y]);
      middle.set(i, x + size.width / 2);
      x += size.width + gaps.beside;
      tallest = Math.max(tallest, size.height);
    }
    y += tallest + gaps.below;
  }
  return {
    corners: new Map([...corners].map(([i, [x, top]]) => [i, [x - left, top] as const])),
    bends: edges.map(() => []),
  };
}
