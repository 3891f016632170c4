import type { ElkNode } from 'elkjs/lib/elk-api.js';

import type { Engine, Flow, FlowQuestion, Point } from './layout';

/** The used part of ELK: on the page it runs in its own worker. */
interface Elk {
  readonly layout: (question: ElkNode) => Promise<ElkNode>;
}

const SIDES = { top: 'FIRST_SEPARATE', bottom: 'LAST_SEPARATE' } as const;

export function elkEngine(start: () => Elk): Engine {
  let elk: Elk | null = null;
  return async (question) => {
    elk ??= start();
    return flowOf(await elk.layout(elkGraph(question)), question);
  };
}

const elkGraph = ({ flow, edges, sizes, sideOf, gaps }: FlowQuestion): ElkNode => ({
  id: 'root',
  layoutOptions: {
    'elk.algorithm': 'layered',
    'elk.direction': 'DOWN',
    'elk.edgeRouting': 'POLYLINE',
    'elk.padding': '[top=0,left=0,bottom=0,right=0]',
    'elk.spacing.nodeNode': String(gaps.beside),
    'elk.layered.spacing.nodeNodeBetweenLayers': String(gaps.below),
  },
  children: flow.map((i) => {
    const side = sideOf(i);
    return {
      id: String(i),
      ...sizes(i),
      ...(side ? { layoutOptions: { 'elk.layered.layering.layerConstraint': SIDES[side] } } : {}),
    };
  }),
  edges: edges.map(([from, to], i) => ({
    id: `e${i}`,
    sources: [String(from)],
    targets: [String(to)],
  })),
});

function flowOf({ children = [], edges: placed = [] }: ElkNode, { edges }: FlowQuestion): Flow {
  return {
    corners: new Map(children.map(({ id, x = 0, y = 0 }): [number, Point] => [Number(id), [x, y]])),
    bends: edges.map((_, i) =>
      (placed[i]?.sections?.[0]?.bendPoints ?? []).map(({ x, y }) => [x, y] as const),
    ),
  };
}
