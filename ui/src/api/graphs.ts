import { getJson } from './client';

/** An edge as one of its ends knows it. */
export interface GraphEdge {
  readonly shape?: readonly (readonly number[])[];
  readonly data_type?: string;
  readonly edge_type: 'data' | 'control';
}

export interface GraphNode {
  /** With all scopes before it. */
  readonly name: string;
  readonly type: string;
  /** Nodes within, for a scope; 0 for others. */
  readonly subnode_count: number;
  readonly attr: Readonly<Record<string, string>>;
  /** Name of the other node -> edge. */
  readonly input: Readonly<Record<string, GraphEdge>>;
  readonly output: Readonly<Record<string, GraphEdge>>;
  readonly proxy_input: Readonly<Record<string, GraphEdge>>;
  readonly proxy_output: Readonly<Record<string, GraphEdge>>;
  /** Whether it is drawn apart from what uses it. */
  readonly independent_layout: boolean;
  readonly is_dynamic_shape_node: boolean;
}

export interface GraphTag {
  readonly tag: string;
  readonly kind: 'run' | 'conceptual' | 'op' | 'profile' | 'optimized';
}

interface FoundNode {
  readonly name: string;
  readonly type: string;
  readonly nodes: readonly FoundNode[];
}

export async function fetchGraphTags(trainId: string): Promise<readonly GraphTag[]> {
  return (await getJson<{ tags: readonly GraphTag[] }>('graphs/tags', { train_id: trainId })).tags;
}

/** What stands in a scope; empty: the outermost. */
export async function fetchNodes(trainId: string, tag: string, name: string): Promise<readonly GraphNode[]> {
  const query = { train_id: trainId, tag, name: name === '' ? undefined : name };
  return (await getJson<{ nodes: readonly GraphNode[] }>('datavisual/graphs/nodes', query)).nodes;
}

/** Names of nodes whose own name holds a text, in the order of the graph. */
export async function searchNodes(trainId: string, tag: string, text: string, limit: number): Promise<string[]> {
  const query = { train_id: trainId, tag, search: text, offset: 0, limit };
  const { nodes } = await getJson<{ nodes: readonly FoundNode[] }>('datavisual/graphs/nodes/names', query);
  const leaves = (node: FoundNode): string[] => (node.nodes.length === 0 ? [node.name] : node.nodes.flatMap(leaves));
  return nodes.flatMap(leaves);
}
