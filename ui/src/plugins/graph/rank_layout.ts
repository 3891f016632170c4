import type { RankLayout } from './layout';

/** Loads dagre. */
export async function rankLayout(): Promise<RankLayout> {
  const { Graph, layout } = await import('@dagrejs/dagre');
  return (boxes, edges) => {
    const graph = new Graph();
    graph.setGraph({ rankdir: 'TB', nodesep: 24, ranksep: 36 });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
    for (const [from, to] of edges) graph.setEdge(from, to);
    layout(graph);
    return {
      places: new Map(
        boxes.map(({ id }) => {
          const { x, y } = graph.node(id) as { x: number; y: number };
          return [id, { x, y }];
        }),
      ),
      paths: edges.map(([from, to]) => (graph.edge(from, to) as { points?: { x: number; y: number }[] }).points ?? []),
    };
  };
}
