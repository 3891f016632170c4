import type { GraphNode } from '@/api/graphs';

/** Lays out boxes in ranks: dagre, which is loaded with the first graph. */
export type RankLayout = (
  boxes: readonly { readonly id: string; readonly width: number; readonly height: number }[],
  edges: readonly (readonly [from: string, to: string])[],
) => { readonly places: ReadonlyMap<string, { x: number; y: number }>; readonly paths: readonly (readonly Point[])[] };

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly node: GraphNode;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** What stands in it, where it is an open scope. */
  readonly inner: Scene | null;
}

export interface Connection {
  readonly from: string;
  readonly to: string;
  readonly control: boolean;
  readonly points: readonly Point[];
}

/** A scope as it is drawn; places are within it. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly connections: readonly Connection[];
}

const LEAF = { width: 150, height: 30 };
const HEAD = 26;
const PADDING = 16;
const APART = 12;
/** Beyond this many boxes in one scope ranks take seconds: they stand in rows then. */
const MOST_RANKED = 600;

/** The last part of a name. */
export function ownName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Names of the scopes around a node, the outermost first. */
export function scopesOf(name: string): string[] {
  const parts = name.split('/');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
}

/** The graph as far as its scopes are open; `scopes` holds what stands in each that is known. */
export function sceneOf(scopes: ReadonlyMap<string, readonly GraphNode[]>, open: ReadonlySet<string>, ranked: RankLayout, scope = ''): Scene {
  const nodes = scopes.get(scope) ?? [];
  const sized = nodes.map((node) => {
    const inner = open.has(node.name) && scopes.has(node.name) ? sceneOf(scopes, open, ranked, node.name) : null;
    return inner
      ? { node, inner, width: Math.max(LEAF.width, inner.width + 2 * PADDING), height: inner.height + HEAD + PADDING }
      : { node, inner, ...LEAF };
  });
  const detached = sized.filter(({ node }) => node.independent_layout);
  const attached = sized.filter(({ node }) => !node.independent_layout);
  const edges = edgesWithin(attached.map(({ node }) => node));
  const laid =
    attached.length <= MOST_RANKED
      ? ranked(attached.map(({ node, width, height }) => ({ id: node.name, width, height })), edges.map(({ from, to }) => [from, to]))
      : inRows(attached.map(({ node, width, height }) => ({ id: node.name, width, height })));
  // Connections may go around boxes, beyond the outermost of them.
  const corners = laid.paths.flat();
  const left = corners.reduce((least, { x }) => Math.min(least, x), 0);
  const boxes: Box[] = attached.map((one) => {
    const centre = laid.places.get(one.node.name) ?? { x: 0, y: 0 };
    return { ...one, x: centre.x - one.width / 2 - left, y: centre.y - one.height / 2 };
  });
  const width = Math.max(corners.reduce((most, { x }) => Math.max(most, x), 0) - left, ...boxes.map((box) => box.x + box.width));
  let top = 0;
  // What is drawn apart stands in a column beside the rest.
  for (const one of detached) {
    boxes.push({ ...one, x: width + (width > 0 ? 2 * PADDING : 0), y: top });
    top += one.height + APART;
  }
  return {
    width: Math.max(LEAF.width, width, ...boxes.map((box) => box.x + box.width)),
    height: Math.max(LEAF.height, ...boxes.map((box) => box.y + box.height)),
    boxes,
    connections: edges.map((edge, i) => ({ ...edge, points: (laid.paths[i] ?? []).map(({ x, y }) => ({ x: x - left, y })) })),
  };
}

/** Edges between nodes of one scope: of each node's inputs those that stand in, or below, another. */
export function edgesWithin(nodes: readonly GraphNode[]): { from: string; to: string; control: boolean }[] {
  const names = new Set(nodes.map(({ name }) => name));
  const found = new Map<string, { from: string; to: string; control: boolean }>();
  for (const { name, input } of nodes) {
    for (const [source, edge] of Object.entries(input)) {
      const from = names.has(source) ? source : scopesOf(source).find((scope) => names.has(scope));
      if (from === undefined || from === name) continue;
      const known = found.get(`${from}\0${name}`);
      found.set(`${from}\0${name}`, { from, to: name, control: edge.edge_type === 'control' && (known?.control ?? true) });
    }
  }
  return [...found.values()];
}

/** Too many boxes to rank: in rows, as they come. */
function inRows(boxes: readonly { id: string; width: number; height: number }[]): ReturnType<RankLayout> {
  const most = Math.sqrt(boxes.reduce((area, { width, height }) => area + (width + APART) * (height + APART), 0)) * 1.6;
  const places = new Map<string, Point>();
  let [left, top, highest] = [0, 0, 0];
  for (const { id, width, height } of boxes) {
    if (left > 0 && left + width > most) [left, top, highest] = [0, top + highest + APART, 0];
    places.set(id, { x: left + width / 2, y: top + height / 2 });
    left += width + APART;
    highest = Math.max(highest, height);
  }
  return { places, paths: [] };
}

/** Boxes of a scene and of all within it, with their places in the whole. */
export function placedBoxes(scene: Scene, x = 0, y = 0): (Box & { readonly depth: number })[] {
  return scene.boxes.flatMap((box) => [
    { ...box, x: x + box.x, y: y + box.y, depth: 0 },
    ...(box.inner ? placedBoxes(box.inner, x + box.x + PADDING, y + box.y + HEAD).map((one) => ({ ...one, depth: one.depth + 1 })) : []),
  ]);
}

export function placedConnections(scene: Scene, x = 0, y = 0): Connection[] {
  return [
    ...scene.connections.map((one) => ({ ...one, points: one.points.map((point) => ({ x: point.x + x, y: point.y + y })) })),
    ...scene.boxes.flatMap((box) => (box.inner ? placedConnections(box.inner, x + box.x + PADDING, y + box.y + HEAD) : [])),
  ];
}
