import { getJson } from '@/api/client';

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
  const { tags } = await getJson<{ tags: readonly GraphTag[] }>('graphs/tags', {
    train_id: trainId,
  });
  return tags;
}

/** Which graph of a job. */
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

/** Neighbours in a scope of many nodes, by their places in the order of its flow: from 1, the last one included. */
export interface GraphStack {
  readonly first: number;
  readonly last: number;
  readonly independent_layout: boolean;
  /** Places outside the stack that lead into it. */
  readonly source: readonly (readonly [number, EdgeType])[];
  /** The same of nodes outside the scope, by their names. */
  readonly input: Readonly<Record<string, { readonly edge_type: EdgeType }>>;
}

/** What stands in a scope, or between two places of it. */
export interface GraphPart {
  /** Of the scope; the root is the empty name. */
  readonly name: string;
  readonly nodes: readonly GraphNode[];
  readonly stacks: readonly GraphStack[];
  /** Of nodes of scopes that have stacks, by their names. */
  readonly places: Readonly<Record<string, number>>;
}

/** Places of a scope; none: all of it. `find` is a node whose place is asked for, too. */
export interface PartWanted {
  readonly first?: number;
  readonly last?: number;
  readonly find?: string;
}

export function fetchGraphPart(
  graph: GraphAddress,
  scope: string,
  wanted: PartWanted,
): Promise<GraphPart> {
  return getJson('graphs/scope', { ...query(graph), name: scope || null, ...wanted });
}

/** Where nodes ran, and how long in microseconds, as columns; null is unknown. */
export interface GraphCosts {
  readonly devices: readonly string[];
  readonly name: readonly string[];
  readonly device: readonly (number | null)[];
  readonly micros: readonly (number | null)[];
  /** The same of scopes that have stacks, by the places in them; a device of -1: several. */
  readonly places: readonly {
    readonly name: string;
    readonly device: readonly (number | null)[];
    readonly micros: readonly (number | null)[];
  }[];
}

export function fetchGraphCosts(graph: GraphAddress): Promise<GraphCosts> {
  return getJson('graphs/costs', query(graph));
}

/** A node that was found, or a scope that leads to some. */
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
