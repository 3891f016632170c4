import { formatWhole } from '@/base/format';

import type { EdgesByNode, GraphEdge, GraphNode, GraphPart, GraphStack } from './api';

export type ItemKind = 'scope' | 'aggregation' | 'bundle' | 'operator' | 'parameter' | 'constant';

export interface Range {
  readonly scope: string;
  readonly first: number;
  readonly last: number;
}

/** A box: a node, or a bundle of neighbors in a large scope. */
export interface Item {
  readonly name: string;
  readonly label: string;
  readonly kind: ItemKind;
  readonly type: string;
  /** Number of nodes in it; 0: cannot be opened. */
  readonly count: number;
  readonly independent: boolean;
  /** Equal for scopes of the same structure; null: no other scope is like it. */
  readonly structure: number | null;
  readonly inputs: EdgesByNode;
  /** Null for bundles. */
  readonly node: GraphNode | null;
  readonly range: Range | null;
}

const KINDS: Readonly<Record<string, ItemKind>> = {
  name_scope: 'scope',
  aggregation_scope: 'aggregation',
  Parameter: 'parameter',
  Const: 'constant',
};

/** Parts of TensorFlow's graphs beside the model: initialization, checkpoints, gradients. */
const AUXILIARY = new RegExp(
  `^(?:${[
    'init(?:_all_tables|ializer)?|legacy_init_op|global_step|group_deps|beta[12]_power',
    'report_uninitialized_\\w+|IsVariableInitialized|save|gradients?|training',
    'Adam\\w*|RMSprop|SGD|Momentum|GradientDescent|Adagrad|Adadelta|Ftrl',
  ].join('|')})(?:[_-]?\\d+)?(?:\\[\\d+\\](?:_\\d+)?)?$`,
  'i',
);
const AUXILIARY_TYPES = new Set(['NoOp']);

/** `ReadVariableOp[40]_1` -> `ReadVariableOp ×40` */
export const seriesLabel = (name: string, count: number): string =>
  `${name} ×${formatWhole(count)}`;

function itemOf(node: GraphNode, scope: string, structure: number | null): Item {
  const kind = KINDS[node.type] ?? (node.subnode_count > 0 ? 'scope' : 'operator');
  const label =
    scope !== '' && node.name.startsWith(`${scope}/`)
      ? node.name.slice(scope.length + 1)
      : node.name;
  return {
    name: node.name,
    label:
      kind === 'aggregation'
        ? seriesLabel(label.replace(/\[\d+\](_\d+)?$/, ''), node.subnode_count)
        : label,
    kind,
    type: node.type === 'name_scope' || node.type === 'aggregation_scope' ? '' : node.type,
    count: node.subnode_count,
    independent: node.independent_layout || AUXILIARY.test(label) || AUXILIARY_TYPES.has(node.type),
    structure,
    inputs: node.input,
    node,
    range: null,
  };
}

/** The name of an unknown node at a place. */
const placeName = (scope: string, place: number): string =>
  `${scope === '' ? '' : `${scope}/`}…${place}`;

function bundleOf(
  scope: string,
  { series, first, last, independent_layout: independent, source, input }: GraphStack,
): Item {
  const edge = (type: GraphEdge['edge_type']): GraphEdge => ({
    shape: [],
    data_type: '',
    edge_type: type,
    independent_layout: false,
  });
  return {
    name: `${placeName(scope, first)}-${last}`,
    label: series === '' ? `${first} – ${last}` : seriesLabel(series, last - first + 1),
    kind: 'bundle',
    type: '',
    count: last - first + 1,
    independent,
    structure: null,
    inputs: Object.fromEntries([
      ...source.map(([place, type]) => [placeName(scope, place), edge(type)] as const),
      ...Object.entries(input).map(([name, one]) => [name, edge(one.edge_type)] as const),
    ]),
    node: null,
    range: { scope, first, last },
  };
}

export class ItemTree {
  private readonly levels = new Map<string, readonly Item[]>();
  private readonly items = new Map<string, Item>();
  private readonly parents = new Map<string, string>();
  private readonly places = new Map<string, { readonly scope: string; readonly place: number }>();

  add(level: string, part: GraphPart): void {
    const items = [
      ...part.nodes.map((node) => itemOf(node, part.name, part.structures[node.name] ?? null)),
      ...part.stacks.map((stack) => bundleOf(part.name, stack)),
    ];
    this.levels.set(level, items);
    for (const item of items) {
      this.items.set(item.name, item);
      this.parents.set(item.name, level);
    }
    for (const { source } of part.stacks) {
      for (const [place] of source)
        this.places.set(placeName(part.name, place), { scope: part.name, place });
    }
    this.learn(part);
  }

  /** Places of nodes in bundles. */
  learn({ name: scope, places }: GraphPart): void {
    for (const [name, place] of Object.entries(places)) this.places.set(name, { scope, place });
  }

  /** Whether nodes of the scope are in bundles, so that their places must be requested. */
  bundled(scope: string): boolean {
    return (this.levels.get(scope) ?? []).some(({ range }) => range !== null);
  }

  level(name: string): readonly Item[] | undefined {
    return this.levels.get(name);
  }

  item(name: string): Item | undefined {
    return this.items.get(name);
  }

  pathTo(name: string): readonly string[] {
    const path = [name];
    for (let at = this.parents.get(name); at !== undefined && at !== ''; at = this.parents.get(at))
      path.push(at);
    return path.reverse();
  }

  /** The loaded item that is or contains a node. */
  locate(name: string): string | null {
    for (let at = name; ;) {
      if (this.items.has(at)) return at;
      const placed = this.places.get(at);
      if (placed) return this.at(placed.scope, placed.place);
      const cut = at.lastIndexOf('/');
      if (cut < 0) return null;
      at = at.slice(0, cut);
    }
  }

  /** The innermost loaded item at a place. */
  private at(scope: string, place: number): string | null {
    let found: string | null = this.items.has(scope) ? scope : null;
    for (let level = this.levels.get(scope); level;) {
      const next = level.find(({ name, range }) =>
        range
          ? range.first <= place && place <= range.last
          : this.places.get(name)?.place === place,
      );
      found = next?.name ?? found;
      level = next?.range ? this.levels.get(next.name) : undefined;
    }
    return found;
  }
}

export interface Link {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** Whether it only orders execution. */
  readonly control: boolean;
  /** Whether one of its ends is, or is in, a box beside the flow that the other is not in. */
  readonly apart: boolean;
  /** The tensors, as `8×3×4`; empty: unknown, none or several. */
  readonly shape: string;
}

export interface Seen {
  /** Parents before children. */
  readonly items: readonly {
    readonly item: Item;
    readonly parent: string;
    readonly open: boolean;
  }[];
  readonly links: readonly Link[];
}

export function seenOf(tree: ItemTree, open: ReadonlySet<string>): Seen {
  const items: { item: Item; parent: string; open: boolean }[] = [];
  /** Of each item, the outermost box beside the flow that it is in. */
  const apart = new Map<string, string>();
  const isOpen = (name: string): boolean => open.has(name) && tree.level(name) !== undefined;
  const collect = (parent: string): void => {
    for (const item of tree.level(parent) ?? []) {
      items.push({ item, parent, open: isOpen(item.name) });
      const around = apart.get(parent) ?? (item.independent ? item.name : undefined);
      if (around !== undefined) apart.set(item.name, around);
      if (isOpen(item.name)) collect(item.name);
    }
  };
  collect('');

  const known = new Map<string, string | null>();
  const boxOf = (name: string): string | null => {
    const cached = known.get(name);
    if (cached !== undefined) return cached;
    const located = tree.locate(name);
    const path = located === null ? [] : tree.pathTo(located);
    const box = path.find((step) => !isOpen(step)) ?? null;
    known.set(name, box);
    return box;
  };

  const links = new Map<string, Link>();
  for (const { item, open: opened } of items) {
    if (opened) continue;
    for (const [source, edge] of Object.entries(item.inputs)) {
      const from = boxOf(source);
      if (from === null || from === item.name) continue;
      const key = JSON.stringify([from, item.name]);
      const before = links.get(key);
      const shape = shapeText(edge);
      links.set(key, {
        from,
        to: item.name,
        count: (before?.count ?? 0) + 1,
        control: edge.edge_type === 'control' && (before?.control ?? true),
        apart: apart.get(from) !== apart.get(item.name),
        shape: before ? (before.shape === shape ? shape : '') : shape,
      });
    }
  }
  return { items, links: [...links.values()] };
}

/** `8×3×4`; unknown sizes are `?`. Empty for several tensors, scalars and control edges. */
export function shapeText({ shape, edge_type: type }: GraphEdge): string {
  const [only, ...others] = shape;
  return type === 'control' || !only || others.length > 0
    ? ''
    : only.map((size) => (size < 0 ? '?' : size)).join('×');
}
