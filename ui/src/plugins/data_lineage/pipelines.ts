import type { DatasetNode, LineageRow } from '@/api/lineage';
import { naturalOrder } from '@/base/natural_order';

export interface Operation {
  readonly type: string;
  readonly parameters: readonly { readonly name: string; readonly text: string }[];
}

export interface Pipeline {
  readonly mark: string;
  readonly trainIds: readonly string[];
  /** Operations from the source to the training, one branch per source. */
  readonly branches: readonly (readonly Operation[])[];
}

const MOST_TEXT = 300;
const OWN = new Set(['children', 'op_type']);

export function pipelinesOf(rows: readonly LineageRow[]): Pipeline[] {
  const found = new Map<string, { trainIds: string[]; graph: DatasetNode }>();
  for (const row of rows) {
    const graph = row.dataset_graph;
    if (!graph || (graph.op_type === undefined && !graph.children?.length)) continue;
    const marked = row.model_lineage?.['dataset_mark'];
    const mark =
      typeof marked === 'string' || typeof marked === 'number'
        ? String(marked)
        : JSON.stringify(graph).slice(0, 40);
    const known = found.get(mark);
    if (known) known.trainIds.push(row.summary_dir);
    else found.set(mark, { trainIds: [row.summary_dir], graph });
  }
  return [...found]
    .sort(([a], [b]) => naturalOrder(a, b))
    .map(([mark, { trainIds, graph }]) => ({
      mark,
      trainIds: trainIds.sort(naturalOrder),
      branches: branchesOf(graph),
    }));
}

function branchesOf(node: DatasetNode): Operation[][] {
  const own = operationOf(node);
  const below = (node.children ?? []).flatMap(branchesOf);
  return below.length === 0 ? [[own]] : below.map((branch) => [...branch, own]);
}

function operationOf(node: DatasetNode): Operation {
  return {
    type: node.op_type ?? '?',
    parameters: Object.entries(node).flatMap(([name, value]) => {
      if (OWN.has(name) || value === null || value === undefined || value === '') return [];
      if (name === 'operations' && Array.isArray(value)) return value.map(stepOf);
      return [{ name: name.replaceAll('_', ' '), text: textOf(value) }];
    }),
  };
}

function stepOf(operation: unknown, index: number): Operation['parameters'][number] {
  const { tensor_op_name: name, ...others } = (operation ?? {}) as Record<string, unknown>;
  const settings = Object.entries(others).map(
    ([key, value]) => `${key.replaceAll('_', ' ')} ${textOf(value)}`,
  );
  return {
    name: `${index + 1}. ${typeof name === 'string' ? name : '?'}`,
    text: settings.join(', '),
  };
}

/** MindSpore logs names as JSON: `["\\"image\\""]`. */
const unquoted = (text: string): string => /^"([^"\\]*)"$/.exec(text)?.[1] ?? text;

function textOf(value: unknown): string {
  const text =
    typeof value === 'string'
      ? unquoted(value)
      : Array.isArray(value) && value.every((item) => typeof item === 'string')
        ? value.map(unquoted).join(', ')
        : JSON.stringify(value);
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
}
