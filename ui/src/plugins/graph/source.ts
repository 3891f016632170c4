import {
  fetchGraphCosts,
  fetchGraphPart,
  searchGraph,
  type GraphAddress,
  type GraphCosts,
  type GraphNode,
  type GraphPart,
  type NamedNode,
  type PartWanted,
} from './api';
import { fetchDatasetGraph } from './dataset_api';

import { datasetLevels } from './dataset';

export interface GraphSource {
  readonly key: string;
  /** A scope's nodes, or a range of them; the root is the empty name. */
  readonly part: (scope: string, wanted: PartWanted) => Promise<GraphPart>;
  readonly search: (text: string, limit: number) => Promise<readonly Found[]>;
  readonly costs: () => Promise<GraphCosts>;
}

export interface Found {
  readonly name: string;
  readonly type: string;
}

export const loggedGraph = (address: GraphAddress): GraphSource => ({
  key: JSON.stringify([address.trainId, address.tag, address.optimized]),
  part: (scope, wanted) => fetchGraphPart(address, scope, wanted),
  costs: () => fetchGraphCosts(address),
  search: async (text, limit) => found(await searchGraph(address, text, limit), text),
});

export function datasetGraph(trainId: string): GraphSource {
  const levels = fetchDatasetGraph(trainId).then((root) =>
    root ? datasetLevels(root) : new Map<string, readonly GraphNode[]>(),
  );
  // Callers handle the failure; there may be none yet.
  levels.catch(() => undefined);
  const all = async (): Promise<readonly GraphNode[]> => [...(await levels).values()].flat();
  return {
    key: JSON.stringify([trainId]),
    part: async (scope) => ({
      name: scope,
      nodes: (await levels).get(scope) ?? [],
      stacks: [],
      places: {},
      structures: {},
    }),
    costs: () => Promise.resolve({ devices: [], name: [], device: [], micros: [], places: [] }),
    search: async (text, limit) =>
      (await all()).filter((node) => holds(node.name, text)).slice(0, limit),
  };
}

function holds(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase());
}

export function found(nodes: readonly NamedNode[], text: string): Found[] {
  return nodes.flatMap((node) => {
    const own = text.includes('/') ? node.name : node.name.slice(node.name.lastIndexOf('/') + 1);
    const below = found(node.nodes, text);
    return node.nodes.length === 0 || holds(own, text)
      ? [{ name: node.name, type: node.type }, ...below]
      : below;
  });
}
