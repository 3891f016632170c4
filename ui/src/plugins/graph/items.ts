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

function itemOf(node: GraphNode, scope: string): Item {
  const kind = KINDS[node.type] ?? (node.subnode_count > 0 ? 'scope' : 'operator');
  return {
    name: node.name,
    label:
      scope !== '' && node.name.startsWith(`${scope}/`)
        ? node.name.slice(scope.length + 1)
        : node.name,
    kind,
    type: node.type === 'name_scope' || node.type === 'aggregation_scope' ? '' : node.type,
    count: node.subnode_count,
    independent: node.independent_layout,
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
  { first, last, independent_layout: independent, source, input }: GraphStack,
): Item {
  const edge = (type: GraphEdge['edge_type']): GraphEdge => ({
    shape: [],
    data_type: '',
    edge_type: type,
    independent_layout: false,
  });
  return {
    name: `${placeName(scope, first)}-${last}`,
    label: `${first} – ${last}`,
    kind: 'bundle',
    type: '',
    count: last - first + 1,
    independent,
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
      ...part.nodes.map((node) => itemOf(node, part.name)),
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
  /** Whether it comes from a box beside the flow. */
  readonly apart: boolean;
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
  const apart = new Set<string>();
  const isOpen = (name: string): boolean => open.has(name) && tree.level(name) !== undefined;
  const collect = (parent: string): void => {
    for (const item of tree.level(parent) ?? []) {
      items.push({ item, parent, open: isOpen(item.name) });
      if (item.independent || apart.has(parent)) apart.add(item.name);
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
      links.set(key, {
        from,
        to: item.name,
        count: (before?.count ?? 0) + 1,
        control: edge.edge_type === 'control' && (before?.control ?? true),
        apart: apart.has(from),
      });
    }
  }
  return { items, links: [...links.values()] };
}
