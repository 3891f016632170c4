export type Edges = readonly (readonly [number, number])[];

/** A topological order; cycles are broken arbitrarily. */
export function flowOrder(flow: readonly number[], edges: Edges): readonly number[] {
  const feeds = new Map<number, number[]>(flow.map((i) => [i, []]));
  const missing = new Map<number, number>(flow.map((i) => [i, 0]));
  for (const [from, to] of edges) {
    feeds.get(from)?.push(to);
    missing.set(to, (missing.get(to) ?? 0) + 1);
  }
  const order = new Set<number>();
  const follow = (start: number): void => {
    const ready = [start];
    for (let at = ready.pop(); at !== undefined; at = ready.pop()) {
      if (order.has(at)) continue;
      order.add(at);
      for (const to of feeds.get(at) ?? []) {
        const left = (missing.get(to) ?? 0) - 1;
        missing.set(to, left);
        if (left === 0) ready.push(to);
      }
    }
  };
  for (const i of flow) if (missing.get(i) === 0) follow(i);
  for (const i of flow) follow(i);
  return [...order];
}
