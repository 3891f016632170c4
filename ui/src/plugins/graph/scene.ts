import { formatWhole } from '@/base/format';
import { addTo } from '@/base/grouped';
import { shortened } from '@/base/shorten';

import type { Item, Link, Seen } from './items';
import {
  edgeKey,
  portKey,
  type Block,
  type Inside,
  type Placed,
  type Place,
  type Point,
  type Port,
} from './layout';
import { shapeLabels, type ShapeLabel } from './shape_labels';

export interface Box extends Place {
  readonly item: Item;
  readonly open: boolean;
  readonly parent: string;
  readonly depth: number;
  readonly label: string;
}

export interface Line extends Link {
  readonly path: string;
  readonly points: readonly Point[];
  readonly tip: Point;
  readonly upward: boolean;
}

export interface Scene {
  readonly boxes: readonly Box[];
  readonly byName: ReadonlyMap<string, Box>;
  readonly lines: readonly Line[];
  /** Shapes of tensors, where they don't cover each other. */
  readonly shapes: readonly ShapeLabel[];
  /** The horizontal position of the first boxes of the flow. */
  readonly start: number;
  readonly width: number;
  readonly height: number;
}

const BOX_HEIGHT = 28;
const CHARACTER = { plain: 6.9, bold: 7.6 };
const MOST_CHARACTERS = 28;

function labelOf(item: Item): string {
  const label = shortened(item.label, MOST_CHARACTERS);
  const counted = item.kind === 'bundle' && item.label.includes('×');
  return (item.kind === 'scope' || item.kind === 'bundle') && !counted
    ? `${label} (${formatWhole(item.count)})`
    : label;
}

function widthOf(item: Item): number {
  const bold = item.kind === 'scope' || item.kind === 'bundle';
  return Math.max(
    64,
    Math.ceil(labelOf(item).length * (bold ? CHARACTER.bold : CHARACTER.plain)) +
      (item.count > 0 ? 36 : 20),
  );
}

export function insideOf(seen: Seen, detached: boolean): Inside {
  const pathOf = pathsOf(seen);
  const edgesOf = new Map<string, Map<string, readonly [string, string]>>();
  const portsOf = new Map<string, Map<string, { leaving: boolean; blocks: Set<string> }>>();
  for (const link of seen.links) {
    if (detached && link.apart) continue;
    const { scope, edge, key, out, into } = crossing(pathOf(link.from), pathOf(link.to));
    const edges = edgesOf.get(scope) ?? new Map<string, readonly [string, string]>();
    edgesOf.set(scope, edges.set(key, edge));
    for (const [leaving, steps] of [
      [true, out],
      [false, into],
    ] as const) {
      for (const [around, block] of steps) {
        const ports = portsOf.get(around) ?? new Map<string, never>();
        const port = ports.get(key) ?? { leaving, blocks: new Set<string>() };
        port.blocks.add(block);
        portsOf.set(around, ports.set(key, port));
      }
    }
  }
  const childrenOf = new Map<string, Seen['items'][number][]>();
  for (const seenItem of seen.items) {
    addTo(childrenOf, seenItem.parent, seenItem);
  }
  const levelOf = (name: string): Inside => {
    const children = childrenOf.get(name) ?? [];
    const places = new Map(children.map(({ item }, i) => [item.name, i]));
    return {
      blocks: children.map(({ item, open }): Block => ({
        name: item.name,
        width: widthOf(item),
        height: BOX_HEIGHT,
        apart: detached && item.independent,
        inside: open ? levelOf(item.name) : null,
      })),
      edges: [...(edgesOf.get(name)?.values() ?? [])].map(
        ([from, to]) => [places.get(from) ?? 0, places.get(to) ?? 0] as const,
      ),
      ports: [...(portsOf.get(name) ?? [])].map(([edge, { leaving, blocks }]): Port => ({
        edge,
        leaving,
        blocks: [...blocks].map((block) => places.get(block) ?? 0),
      })),
    };
  };
  return levelOf('');
}

/** Names from the outermost scope to the box itself. */
function pathsOf(seen: Seen): (name: string) => readonly string[] {
  const parents = new Map(seen.items.map(({ item, parent }) => [item.name, parent]));
  const known = new Map<string, readonly string[]>([['', []]]);
  const pathOf = (name: string): readonly string[] => {
    const path = known.get(name) ?? [...pathOf(parents.get(name) ?? ''), name];
    known.set(name, path);
    return path;
  };
  return pathOf;
}

/** How an edge runs through scopes: out of some, along one, into others. */
function crossing(from: readonly string[], to: readonly string[]) {
  let shared = 0;
  while (shared < from.length - 1 && shared < to.length - 1 && from[shared] === to[shared])
    shared++;
  const edge = [from[shared] ?? '', to[shared] ?? ''] as const;
  const inner = (path: readonly string[]): (readonly [scope: string, block: string])[] =>
    path.slice(shared + 1).map((block, i) => [path[shared + i] ?? '', block] as const);
  return {
    scope: from[shared - 1] ?? '',
    edge,
    key: edgeKey(...edge),
    /** From the inside to the outside. */
    out: inner(from).reverse(),
    /** From the outside to the inside. */
    into: inner(to),
  };
}

export function sceneOf(seen: Seen, placed: Placed): Scene {
  const known = new Map(seen.items.map((one) => [one.item.name, one]));
  const pathOf = pathsOf(seen);
  const boxes = new Map<string, Box>();
  for (const place of placed.places) {
    const one = known.get(place.name);
    if (!one) continue;
    const depth = (boxes.get(one.parent)?.depth ?? -1) + 1;
    boxes.set(place.name, {
      ...place,
      item: one.item,
      open: one.open,
      parent: one.parent,
      depth,
      label: labelOf(one.item),
    });
  }
  const lines = seen.links.flatMap((link): Line[] => {
    const [from, to] = [boxes.get(link.from), boxes.get(link.to)];
    if (!from || !to) return [];
    const { key, out, into } = crossing(pathOf(link.from), pathOf(link.to));
    const points = [
      ...out.map(([, block]) => portKey(key, block)),
      key,
      ...into.map(([, block]) => portKey(key, block)),
    ].flatMap((part) => placed.routes.get(part) ?? []);
    return [{ ...link, ...drawn(points.length > 0 ? points : straight(from, to)) }];
  });
  return {
    boxes: [...boxes.values()],
    byName: boxes,
    lines,
    shapes: shapeLabels(lines),
    start: startOf([...boxes.values()]),
    width: placed.width,
    height: placed.height,
  };
}

/** The middle of the uppermost boxes, leaving out scopes and boxes beside the flow. */
function startOf(boxes: readonly Box[]): number {
  const first = boxes.filter(({ open, item }) => !open && !item.independent);
  const top = Math.min(...first.map(({ y }) => y));
  const middles = first
    .filter(({ y }) => y === top)
    .map(({ x, width }) => x + width / 2)
    .sort((a, b) => a - b);
  return middles[Math.floor(middles.length / 2)] ?? 0;
}

/** For edges that no layout has routed: those of boxes apart. */
function straight(from: Place, to: Place): Point[] {
  const upward = to.y + to.height < from.y;
  return [
    [from.x + from.width / 2, upward ? from.y : from.y + from.height],
    [to.x + to.width / 2, upward ? to.y + to.height : to.y],
  ];
}

/** Vertical at its points, and straight between points above each other. */
function drawn(points: readonly Point[]): Pick<Line, 'path' | 'points' | 'tip' | 'upward'> {
  const tip = points.at(-1) ?? [0, 0];
  const upward = tip[1] < (points.at(-2)?.[1] ?? 0);
  const through = [...points.slice(0, -1), [tip[0], tip[1] + (upward ? 4 : -4)] as const];
  let path = '';
  let before: Point | null = null;
  for (const point of through) {
    const [x, y] = point;
    if (!before) path += `M${at(point)}`;
    else if (Math.round(before[0]) === Math.round(x)) path += `V${Math.round(y)}`;
    else {
      const middle = (before[1] + y) / 2;
      path += `C${at([before[0], middle])} ${at([x, middle])} ${at(point)}`;
    }
    before = point;
  }
  return { path, points, tip, upward };
}

function at([x, y]: Point): string {
  return `${Math.round(x)},${Math.round(y)}`;
}

export const arrow = ({ tip, upward }: Pick<Line, 'tip' | 'upward'>): string =>
  `M${at(tip)}l-4,${upward ? 6 : -6}h8z`;

/** Boxes up or down the flow from one; `far`: all, not just the next. */
export function reached(
  lines: readonly Line[],
  from: string,
  direction: 'up' | 'down',
  far: boolean,
): Set<string> {
  const next = new Map<string, string[]>();
  for (const line of lines) {
    const [near, other] = direction === 'down' ? [line.from, line.to] : [line.to, line.from];
    addTo(next, near, other);
  }
  const found = new Set<string>();
  let edge = [from];
  while (edge.length > 0) {
    const found_ = edge
      .flatMap((name) => next.get(name) ?? [])
      .filter((name) => name !== from && !found.has(name));
    for (const name of found_) found.add(name);
    edge = far ? [...new Set(found_)] : [];
  }
  return found;
}
