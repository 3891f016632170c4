import type { GraphEdge, GraphNode } from '@/api/graphs';

import { flowOrder } from './flow_order';

export type ItemKind = 'scope' | 'aggregation' | 'bundle' | 'operator' | 'parameter' | 'constant';

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
  /** The nodes whose edges are its own: itself, or all of a bundle. */
  readonly nodes: readonly GraphNode[];
}

/** Boxes that may stand beside each other: more are gathered in bundles. */
export const MOST_ITEMS = 250;
/** The least that a bundle holds. */
const LEAST_BUNDLE = 50;
const MOST_BUNDLES = 100;

const KINDS: Readonly<Record<string, ItemKind>> = {
  name_scope: 'scope', aggregation_scope: 'aggregation', Parameter: 'parameter', Const: 'constant',
};

function itemOf(node: GraphNode, scope: string): Item {
  const kind = KINDS[node.type] ?? (node.subnode_count > 0 ? 'scope' : 'operator');
  return {
    name: node.name,
    label: scope !== '' && node.name.startsWith(`${scope}/`) ? node.name.slice(scope.length + 1) : node.name,
    kind,
    type: node.type === 'name_scope' || node.type === 'aggregation_scope' ? '' : node.type,
    count: node.subnode_count,
    independent: node.independent_layout,
    nodes: [node],
  };
}

/**
 * The levels that the nodes of one scope make: its own, and those of bundles, where they are so
 * many that nobody could look at them at once. Bundles follow the flow, so that what belongs
 * together is in one.
 */
export function levelsOf(scope: string, nodes: readonly GraphNode[]): Map<string, readonly Item[]> {
  const items = nodes.map((node) => itemOf(node, scope));
  const levels = new Map<string, readonly Item[]>();
  if (items.length <= MOST_ITEMS) return levels.set(scope, items);
  const apart = items.filter((item) => item.independent);
  const flow = inFlow(items.filter((item) => !item.independent));
  const bundled = [...bundle(flow, 0), ...bundle(apart, flow.length)];
  return levels.set(scope, bundled);

  function bundle(list: readonly Item[], from: number): readonly Item[] {
    if (list.length <= MOST_ITEMS) return list;
    const size = Math.max(LEAST_BUNDLE, Math.ceil(list.length / MOST_BUNDLES));
    const bundles: Item[] = [];
    for (let start = 0; start < list.length; start += size) {
      const members = list.slice(start, start + size);
      const [first, last] = [from + start + 1, from + start + members.length];
      const name = `${scope === '' ? '' : `${scope}/`}…${first}-${last}`;
      levels.set(name, bundle(members, from + start));
      bundles.push({
        name, label: `${first} – ${last}`, kind: 'bundle', type: '', count: members.length,
        independent: members.every((item) => item.independent),
        nodes: members.flatMap((item) => item.nodes),
      });
    }
    return bundles;
  }
}

/** Items in an order in which most edges lead on, and what feeds each other is close. */
function inFlow(items: readonly Item[]): readonly Item[] {
  const places = new Map(items.map((item, i) => [item.name, i]));
  const edges: (readonly [number, number])[] = [];
  items.forEach((item, to) => {
    for (const node of item.nodes) {
      for (const source of Object.keys(node.input)) {
        const from = places.get(source);
        if (from !== undefined && from !== to) edges.push([from, to]);
      }
    }
  });
  return flowOrder([...places.values()], edges).flatMap((i) => items[i] ?? []);
}

/** All levels that are known, and where each item stands. */
export class ItemTree {
  private readonly levels = new Map<string, readonly Item[]>();
  private readonly items = new Map<string, Item>();
  private readonly parents = new Map<string, string>();

  add(levels: ReadonlyMap<string, readonly Item[]>): void {
    for (const [name, items] of levels) {
      this.levels.set(name, items);
      for (const item of items) {
        this.items.set(item.name, item);
        this.parents.set(item.name, name);
      }
    }
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
    for (let at = this.parents.get(name); at !== undefined && at !== ''; at = this.parents.get(at)) path.push(at);
    return path.reverse();
  }

  /** The known item that a node is, or stands in. */
  locate(name: string): string | null {
    for (let at = name; ;) {
      if (this.items.has(at)) return at;
      const cut = at.lastIndexOf('/');
      if (cut < 0) return null;
      at = at.slice(0, cut);
    }
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
  /** One of the edges. */
  readonly edge: GraphEdge;
}

/** The boxes that are seen, and the edges between those that are not open. */
export interface Seen {
  /** Parents before their children. */
  readonly items: readonly { readonly item: Item; readonly parent: string; readonly open: boolean }[];
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
    for (const node of item.nodes) {
      for (const [source, edge] of Object.entries(node.input)) {
        const from = boxOf(source);
        if (from === null || from === item.name) continue;
        const key = JSON.stringify([from, item.name]);
        const before = links.get(key);
        const control = edge.edge_type === 'control';
        links.set(key, {
          from, to: item.name, count: (before?.count ?? 0) + 1, control: control && (before?.control ?? true),
          apart: apart.has(from), edge: before && !before.control ? before.edge : edge,
        });
      }
    }
  }
  return { items, links: [...links.values()] };
}
