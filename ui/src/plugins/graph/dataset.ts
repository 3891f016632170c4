import type { EdgesByNode, GraphNode } from './api';
import type { DatasetNode } from '@/api/lineage';

const PLAIN = { independent_layout: false, is_dynamic_shape_node: false } as const;
const EDGE = { shape: [], data_type: '', edge_type: 'data', independent_layout: false } as const;

/** A dataset pipeline as a graph. An operation of several steps is a scope. */
export function datasetLevels(root: DatasetNode): Map<string, readonly GraphNode[]> {
  const nodes: GraphNode[] = [];
  const levels = new Map<string, readonly GraphNode[]>([['', nodes]]);
  const drafts: Draft[] = [];
  const pending: { node: DatasetNode; consumer: Draft | null }[] = [{ node: root, consumer: null }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, consumer } = next;
    const name = `${typeOf(node)}_${drafts.length + 1}`.replaceAll('/', '_');
    const operations = Array.isArray(node['operations'])
      ? (node['operations'] as Readonly<Record<string, unknown>>[])
      : [];
    const steps = operations.map(
      (operation, i) =>
        `${name}/${text(operation['tensor_op_name'] ?? operation['op_type'] ?? '?')}_${i + 1}`,
    );
    const draft: Draft = {
      node,
      name,
      operations,
      steps,
      first: steps[0] ?? name,
      last: steps.at(-1) ?? name,
      inputs: [],
      consumer,
    };
    consumer?.inputs.push(draft);
    drafts.push(draft);
    for (const child of (node.children ?? []).toReversed())
      pending.push({ node: child, consumer: draft });
  }
  for (const draft of drafts) {
    const { node, name, operations, steps } = draft;
    const input = edges(draft.inputs.map(({ last }) => last));
    const output = edges(draft.consumer ? [draft.consumer.first] : []);
    nodes.push({
      name,
      type: steps.length > 0 ? 'name_scope' : typeOf(node),
      subnode_count: steps.length,
      attr: attributesOf(node, ['op_type', 'children', 'operations']),
      input,
      output,
      ...PLAIN,
    });
    if (steps.length === 0) continue;
    levels.set(
      name,
      operations.map((operation, i) => ({
        name: steps[i] ?? '',
        type: text(operation['tensor_op_name'] ?? '?'),
        subnode_count: 0,
        attr: attributesOf(operation, ['tensor_op_name']),
        input: i === 0 ? input : edges(steps.slice(i - 1, i)),
        output: i === steps.length - 1 ? output : edges(steps.slice(i + 1, i + 2)),
        ...PLAIN,
      })),
    );
  }
  return levels;
}

interface Draft {
  readonly node: DatasetNode;
  readonly name: string;
  readonly operations: readonly Readonly<Record<string, unknown>>[];
  readonly steps: readonly string[];
  readonly first: string;
  readonly last: string;
  readonly inputs: Draft[];
  readonly consumer: Draft | null;
}

function typeOf(node: DatasetNode): string {
  return node.op_type ?? '?';
}

function attributesOf(
  record: Readonly<Record<string, unknown>>,
  without: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record)
      .filter(([name]) => !without.includes(name))
      .map(([name, value]) => [name, text(value)]),
  );
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function edges(names: readonly string[]): EdgesByNode {
  return Object.fromEntries(names.map((name) => [name, EDGE]));
}
