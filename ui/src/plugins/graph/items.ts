import type { EdgesByNode, GraphEdge, GraphNode, GraphPart, GraphStack } from './api';

export type ItemKind = 'scope' | 'aggregation' | 'bundle' | 'operator' | 'parameter' | 'constant';

/** Neighbours in a scope, by their places. */
export interface Range {
  readonly scope: string;
  readonly first: number;
  readonly last: number;
}

/** What is drawn as one box: a node, or a bundle of many that stand in one scope. */
export interface Item {
  readonly name: string;
  readonly label: string;
  readonly kind: ItemKind;
  /** Of the operator; of scopes and bundles empty. */
  readonly type: string;
  /** How many stand in it; 0: it cannot be opened. */
  readonly count: number;
  /** Whether it is drawn apart from what uses it. */
  readonly independent: boolean;
  /** By name of where the edge begins. */
  readonly inputs: EdgesByNode;
  /** Null: a bundle. */
  readonly node: GraphNode | null;
  /** Of a bundle: what it holds. */
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

/** What stands at a place, where its name is not known. */
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

/** All levels that are known, and where each item stands. */
export class ItemTree {
  private readonly levels = new Map<string, readonly Item[]>();
  private readonly items = new Map<string, Item>();
  private readonly parents = new Map<string, string>();
  private readonly places = new Map<string, { readonly scope: string; readonly place: number }>();

  /** What stands in an item, a bundle or a scope. */
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

  /** Where nodes are that are in bundles. */
  learn({ name: scope, places }: GraphPart): void {
    for (const [name, place] of Object.entries(places)) this.places.set(name, { scope, place });
  }

  /** Whether what stands in a scope is in bundles, so that one has to ask where. */
  bundled(scope: string): boolean {
    return (this.levels.get(scope) ?? []).some(({ range }) => range !== null);
  }

  level(name: string): readonly Item[] | undefined {
    return this.levels.get(name);
  }

  item(name: string): Item | undefined {
    return this.items.get(name);
  }

  /** The names of what an item stands in, the outermost first, and its own last. */
  pathTo(name: string): readonly string[] {
    const path = [name];
    for (let at = this.parents.get(name); at !== undefined && at !== ''; at = this.parents.get(at))
      path.push(at);
    return path.reverse();
  }

  /** The known item that a node is, or stands in. */
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

  /** The innermost known item that stands at a place, or holds it. */
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

/** An edge between two boxes, for all edges between what is in them. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** Whether only the order matters. */
  readonly control: boolean;
  /** Whether it comes from something that is drawn apart. */
  readonly apart: boolean;
}

/** The boxes that are seen, and the edges between those that are not open. */
export interface Seen {
  /** Parents before their children. */
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
