import { graphlib, layout as dagre } from '@dagrejs/dagre';

import type { Flow, FlowQuestion, Point } from './layout';

/** Edges that take the place of a rank: dagre puts their labels between two ranks. */
const RANKS_OF_DAGRE = 2;

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function dagreFlow({ flow, edges, sizes, ranks, gaps }: FlowQuestion): Flow {
  const graph = new graphlib.Graph();
  graph.setGraph({
    rankdir: 'TB',
    nodesep: gaps.beside,
    edgesep: 8,
    ranksep: gaps.below,
    ranker: (ranked: { nodes: () => string[]; node: (name: string) => { rank?: number } }) => {
      // dagre's own root is above all.
      for (const name of ranked.nodes())
        ranked.node(name).rank = RANKS_OF_DAGRE * (ranks.get(Number(name)) ?? -1);
    },
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const i of flow) graph.setNode(String(i), { ...sizes(i) });
  for (const [from, to] of edges) graph.setEdge(String(from), String(to));
  dagre(graph);
  return {
    corners: new Map(
      flow.map((i): [number, Point] => {
        const { x, y, width, height } = graph.node(String(i)) as unknown as Placed;
        return [i, [x - width / 2, y - height / 2]];
      }),
    ),
    bends: edges.map(([from, to]) => {
      const { points } = graph.edge(String(from), String(to)) as {
        points: { x: number; y: number }[];
      };
      return points.slice(1, -1).map(({ x, y }) => [x, y] as const);
    }),
  };
}
