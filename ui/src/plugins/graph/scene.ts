import { formatWhole } from '@/base/format';
import { addTo } from '@/base/grouped';
import { shortened } from '@/base/shorten';

import type { Item, Link, Seen } from './items';
import type { Block, Inside, Placed, Place, Point } from './layout';

export interface Box extends Place {
  readonly item: Item;
  readonly open: boolean;
  readonly parent: string;
  readonly depth: number;
  readonly label: string;
}

export interface Line extends Link {
  readonly path: string;
  readonly tip: Point;
  readonly upward: boolean;
}

export interface Scene {
  readonly boxes: readonly Box[];
  readonly byName: ReadonlyMap<string, Box>;
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

const BOX_HEIGHT = 28;
const CHARACTER = { plain: 6.9, bold: 7.6 };
const MOST_CHARACTERS = 28;

function labelOf(item: Item): string {
  const label = shortened(item.label, MOST_CHARACTERS);
  return item.kind === 'scope' || item.kind === 'bundle'
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
  const parents = new Map(seen.items.map(({ item, parent }) => [item.name, parent]));
  const edgesOf = new Map<string, Map<string, readonly [string, string]>>();
  for (const link of seen.links) {
    if (detached && link.apart) continue;
    const [parent, from, to] = siblings(link.from, link.to, parents);
    if (from === to) continue;
    const edges = edgesOf.get(parent) ?? new Map<string, readonly [string, string]>();
    edgesOf.set(parent, edges.set(JSON.stringify([from, to]), [from, to]));
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
    };
  };
  return levelOf('');
}

/** The common scope of two boxes, and their ancestors in it. */
function siblings(
  from: string,
  to: string,
  parents: ReadonlyMap<string, string>,
): readonly [string, string, string] {
  const path = (name: string): string[] => {
    const names: string[] = [];
    for (let at: string | undefined = name; at !== undefined && at !== ''; at = parents.get(at))
      names.push(at);
    return names.reverse();
  };
  const [a, b] = [path(from), path(to)];
  let shared = 0;
  while (shared < a.length - 1 && shared < b.length - 1 && a[shared] === b[shared]) shared++;
  return [a[shared - 1] ?? '', a[shared] ?? from, b[shared] ?? to];
}

export function sceneOf(seen: Seen, placed: Placed): Scene {
  const known = new Map(seen.items.map((one) => [one.item.name, one]));
  const parents = new Map(seen.items.map(({ item, parent }) => [item.name, parent]));
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
  const routes = new Map(
    placed.routes.map(({ from, to, points }) => [JSON.stringify([from, to]), points]),
  );
  const lines = seen.links.flatMap((link): Line[] => {
    const [from, to] = [boxes.get(link.from), boxes.get(link.to)];
    if (!from || !to) return [];
    const [, a, b] = siblings(link.from, link.to, parents);
    return [{ ...link, ...drawn(from, to, routes.get(JSON.stringify([a, b])) ?? []) }];
  });
  return {
    boxes: [...boxes.values()],
    byName: boxes,
    lines,
    width: placed.width,
    height: placed.height,
  };
}

function drawn(
  from: Place,
  to: Place,
  points: readonly Point[],
): { path: string; tip: Point; upward: boolean } {
  const upward = to.y + to.height < from.y;
  const start: Point = [from.x + from.width / 2, upward ? from.y : from.y + from.height];
  const tip: Point = [to.x + to.width / 2, upward ? to.y + to.height : to.y];
  const through = [start, ...points, [tip[0], tip[1] + (upward ? 4 : -4)] as const];
  let path = `M${at(start)}`;
  for (let i = 1; i < through.length; i++) {
    const [x0, y0] = through[i - 1] ?? start;
    const [x1, y1] = through[i] ?? tip;
    const middle = (y0 + y1) / 2;
    path += `C${at([x0, middle])} ${at([x1, middle])} ${at([x1, y1])}`;
  }
  return { path, tip, upward };
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
