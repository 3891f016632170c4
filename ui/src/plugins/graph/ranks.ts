import { flowOrder, type Edges } from './flow_order';

/**
 * The longest path to each node; nodes that nothing enters are just above the first node that they
 * feed. Edges that close a cycle are ignored.
 */
export function ranksOf(flow: readonly number[], edges: Edges): Map<number, number> {
  const order = flowOrder(flow, edges);
  const places = new Map(order.map((i, place) => [i, place]));
  const place = (i: number): number => places.get(i) ?? 0;
  const ranks = new Map(flow.map((i) => [i, 0]));
  const onward = edges
    .filter(([from, to]) => place(from) < place(to))
    .sort((a, b) => place(a[0]) - place(b[0]));
  const entered = new Set<number>();
  for (const [from, to] of onward) {
    entered.add(to);
    ranks.set(to, Math.max(ranks.get(to) ?? 0, (ranks.get(from) ?? 0) + 1));
  }
  const below = new Map<number, number>();
  for (const [from, to] of onward)
    if (!entered.has(from))
      below.set(from, Math.min(below.get(from) ?? Infinity, ranks.get(to) ?? 0));
  for (const [i, first] of below) ranks.set(i, first - 1);
  return ranks;
}
