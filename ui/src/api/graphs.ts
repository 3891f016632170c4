import { getJson } from './client';

/** What flows between two nodes. */
export interface GraphEdge {
  /** A shape for each output; a negative size is not known before the graph runs. */
  readonly shape: readonly (readonly number[])[];
  readonly data_type: string;
  readonly edge_type: 'data' | 'control';
  readonly independent_layout: boolean;
}

export type EdgesByNode = Readonly<Record<string, GraphEdge>>;

/** An operator, a parameter, a constant or a scope. */
export interface GraphNode {
  /** The whole path; unique in its graph. */
  readonly name: string;
  /** `name_scope` and `aggregation_scope` hold other nodes. */
  readonly type: string;
  readonly subnode_count: number;
  readonly attr: Readonly<Record<string, string>>;
  /** By name of the node where the edge begins; of a scope those that enter it. */
  readonly input: EdgesByNode;
  readonly output: EdgesByNode;
  /** Whether it is drawn apart from what uses it. */
  readonly independent_layout: boolean;
  readonly is_dynamic_shape_node: boolean;
}

export type GraphKind = 'run' | 'conceptual' | 'op' | 'profile' | 'optimized';

export interface GraphTag {
  readonly tag: string;
  readonly kind: GraphKind;
}

export async function fetchGraphTags(trainId: string): Promise<readonly GraphTag[]> {
  const { tags } = await getJson<{ tags: readonly GraphTag[] }>('graphs/tags', { train_id: trainId });
  return tags;
}

/** Which graph of a job. */
export interface GraphAddress {
  readonly trainId: string;
  readonly tag: string;
  readonly optimized: boolean;
}

const query = ({ trainId, tag, optimized }: GraphAddress) => ({ train_id: trainId, tag, mode: optimized ? 'optimize' : 'normal' });

/** What stands in a scope; the root is the empty name. */
export async function fetchGraphLevel(graph: GraphAddress, scope: string): Promise<readonly GraphNode[]> {
  const { nodes } = await getJson<{ nodes: readonly GraphNode[] }>('datavisual/graphs/nodes', { ...query(graph), name: scope || null });
  return nodes;
}

/** All nodes that hold no others. */
export async function fetchGraphLeaves(graph: GraphAddress): Promise<readonly GraphNode[]> {
  const { all_nodes_detail: nodes } = await getJson<{ all_nodes_detail: readonly GraphNode[] }>('datavisual/graphs/nodes/all', query(graph));
  return nodes;
}

/** A node that was found, or a scope that leads to some. */
export interface NamedNode {
  readonly name: string;
  readonly type: string;
  readonly nodes: readonly NamedNode[];
}

export async function searchGraph(graph: GraphAddress, text: string, limit: number): Promise<readonly NamedNode[]> {
  const { nodes } = await getJson<{ nodes: readonly NamedNode[] }>('datavisual/graphs/nodes/names', { ...query(graph), search: text, offset: 0, limit });
  return nodes;
}
