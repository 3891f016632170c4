import { getJson } from '@/api/client';

export interface GraphEdge {
  /** A shape per output; negative sizes are unknown before the graph runs. */
  readonly shape: readonly (readonly number[])[];
  readonly data_type: string;
  readonly edge_type: 'data' | 'control';
  readonly independent_layout: boolean;
}

export type EdgesByNode = Readonly<Record<string, GraphEdge>>;

export interface GraphNode {
  /** The whole path, unique in its graph. */
  readonly name: string;
  /** `name_scope` and `aggregation_scope` contain other nodes. */
  readonly type: string;
  readonly subnode_count: number;
  readonly attr: Readonly<Record<string, string>>;
  /** By name of the source node; of a scope the edges that enter it. */
  readonly input: EdgesByNode;
  readonly output: EdgesByNode;
  /** Whether it is drawn beside the flow. */
  readonly independent_layout: boolean;
  readonly is_dynamic_shape_node: boolean;
}

export type GraphKind = 'run' | 'conceptual' | 'op' | 'profile' | 'optimized';

export interface GraphTag {
  readonly tag: string;
  readonly kind: GraphKind;
}

export async function fetchGraphTags(trainId: string): Promise<readonly GraphTag[]> {
  const { tags } = await getJson<{ tags: readonly GraphTag[] }>('graphs/tags', {
    train_id: trainId,
  });
  return tags;
}

export interface GraphAddress {
  readonly trainId: string;
  readonly tag: string;
  readonly optimized: boolean;
}

const query = ({ trainId, tag, optimized }: GraphAddress) => ({
  train_id: trainId,
  tag,
  mode: optimized ? 'optimize' : 'normal',
});

type EdgeType = GraphEdge['edge_type'];

/** Neighbors in a large scope, by their places in its flow: from 1, both ends included. */
export interface GraphStack {
  /** What its nodes have in common: a type or a name; empty: nothing. */
  readonly series: string;
  readonly first: number;
  readonly last: number;
  readonly independent_layout: boolean;
  /** Places outside the stack with edges into it. */
  readonly source: readonly (readonly [number, EdgeType])[];
  /** The same for nodes outside the scope, by name. */
  readonly input: Readonly<Record<string, { readonly edge_type: EdgeType }>>;
}

/** The nodes of a scope, or a range of them. */
export interface GraphPart {
  /** The scope; the root is the empty name. */
  readonly name: string;
  readonly nodes: readonly GraphNode[];
  readonly stacks: readonly GraphStack[];
  /** Of nodes of scopes that have stacks, by their names. */
  readonly places: Readonly<Record<string, number>>;
  /** Of scopes, equal if they contain equally many operators of each type; only repeated ones. */
  readonly structures: Readonly<Record<string, number>>;
}

export interface GraphSummary {
  readonly nodes: number;
  /** Whether the optimized view differs. */
  readonly optimizable: boolean;
}

export const fetchGraphSummary = (trainId: string, tag: string): Promise<GraphSummary> =>
  getJson('graphs/summary', { train_id: trainId, tag });

/** A range of places, by default all. `find` requests the place of a node. */
export interface PartWanted {
  readonly first?: number;
  readonly last?: number;
  readonly find?: string;
}

export const fetchGraphPart = (
  graph: GraphAddress,
  scope: string,
  wanted: PartWanted,
): Promise<GraphPart> =>
  getJson('graphs/scope', { ...query(graph), name: scope || null, ...wanted });

export interface GraphCosts {
  readonly devices: readonly string[];
  readonly name: readonly string[];
  readonly device: readonly (number | null)[];
  readonly micros: readonly (number | null)[];
  /** The same for scopes that have stacks, by place; device -1: several. */
  readonly places: readonly {
    readonly name: string;
    readonly device: readonly (number | null)[];
    readonly micros: readonly (number | null)[];
  }[];
}

export const fetchGraphCosts = (graph: GraphAddress): Promise<GraphCosts> =>
  getJson('graphs/costs', query(graph));

/** A matching node, or a scope that contains some. */
export interface NamedNode {
  readonly name: string;
  readonly type: string;
  readonly nodes: readonly NamedNode[];
}

export async function searchGraph(
  graph: GraphAddress,
  text: string,
  limit: number,
): Promise<readonly NamedNode[]> {
  const { nodes } = await getJson<{ nodes: readonly NamedNode[] }>(
    'datavisual/graphs/nodes/names',
    { ...query(graph), search: text, offset: 0, limit },
  );
  return nodes;
}
