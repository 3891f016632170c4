import type { EdgesByNode, GraphNode, GraphPart } from './api';

/** Input edges; `^` marks control edges. */
const edgesFrom = (...names: readonly string[]): EdgesByNode =>
  Object.fromEntries(
    names.map((name) => [
      name.replace(/^\^/, ''),
      {
        shape: [[2, 3]],
        data_type: 'DT_TENSOR[DT_FLOAT32]',
        edge_type: name.startsWith('^') ? 'control' : 'data',
        independent_layout: false,
      },
    ]),
  );

export const node = (
  name: string,
  inputs: readonly string[] = [],
  more: Partial<GraphNode> = {},
): GraphNode => ({
  name,
  type: 'Conv',
  subnode_count: 0,
  attr: {},
  input: edgesFrom(...inputs),
  output: {},
  independent_layout: false,
  is_dynamic_shape_node: false,
  ...more,
});

export const scope = (
  name: string,
  count: number,
  inputs: readonly string[] = [],
  more: Partial<GraphNode> = {},
): GraphNode => node(name, inputs, { type: 'name_scope', subnode_count: count, ...more });

export const partOf = (name: string, nodes: readonly GraphNode[]): GraphPart => ({
  name,
  nodes,
  stacks: [],
  places: {},
  structures: {},
});
