import type { ElkNode } from 'elkjs/lib/elk-api.js';

import type { Engine, Flow, Point } from './layout';

/** The used part of ELK: on the page it runs in its own worker. */
interface Elk {
  readonly layout: (question: ElkNode) => Promise<ElkNode>;
}

export function elkEngine(start: () => Elk): Engine {
  let elk: Elk | null = null;
  return async (flow, edges, sizes, gaps) => {
    elk ??= start();
    const answer = await elk.layout({
      id: 'root',
      layoutOptions: {
        'elk.algorithm': 'layered',
        'elk.direction': 'DOWN',
        'elk.edgeRouting': 'POLYLINE',
        'elk.padding': '[top=0,left=0,bottom=0,right=0]',
        'elk.spacing.nodeNode': String(gaps.beside),
        'elk.layered.spacing.nodeNodeBetweenLayers': String(gaps.below),
      },
      children: flow.map((i) => ({
        id: String(i),
        width: sizes[i]?.width ?? 0,
        height: sizes[i]?.height ?? 0,
      })),
      edges: edges.map(([from, to], i) => ({
        id: `e${i}`,
        sources: [String(from)],
        targets: [String(to)],
      })),
    });
    return flowOf(answer, edges);
  };
}

function flowOf(
  { children = [], edges: placed = [] }: ElkNode,
  edges: readonly (readonly [number, number])[],
): Flow {
  return {
    corners: new Map(children.map(({ id, x = 0, y = 0 }): [number, Point] => [Number(id), [x, y]])),
    routes: edges.map((edge, i) => ({
      edge,
      points: (placed[i]?.sections?.[0]?.bendPoints ?? []).map(({ x, y }) => [x, y] as const),
    })),
  };
}
