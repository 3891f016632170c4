import { graphlib, layout as dagre } from '@dagrejs/dagre';

import { addTo } from '@/base/grouped';
import type { Rectangle, Size } from '@/base/shapes';

import { flowOrder, type Edges } from './flow_order';

export interface Block extends Size {
  readonly name: string;
  readonly apart: boolean;
  readonly inside: Inside | null;
}

export interface Inside {
  readonly blocks: readonly Block[];
  /** Indices of blocks. */
  readonly edges: Edges;
}

export type Point = readonly [number, number];

export interface Place extends Rectangle {
  readonly name: string;
}

export interface Placed extends Size {
  readonly places: readonly Place[];
  readonly routes: readonly {
    readonly from: string;
    readonly to: string;
    readonly points: readonly Point[];
  }[];
}

export const HEAD = 28;
const PAD = 14;
const GAP = 18;
const RANK_GAP = 34;
/** Edge lengths summed over ranks that dagre lays out at once, ELK within two seconds. */
const MOST_OF_DAGRE = 600;
const MOST_OF_ELK = 6000;

interface Route {
  readonly edge: readonly [number, number];
  readonly points: readonly Point[];
}

export interface Flow {
  readonly corners: ReadonlyMap<number, Point>;
  readonly routes: readonly Route[];
}

export type Engine = (
  flow: readonly number[],
  edges: Edges,
  sizes: readonly Size[],
  gaps: { readonly beside: number; readonly below: number },
) => Promise<Flow>;

export async function layoutOf(inside: Inside, elk: Engine): Promise<Placed> {
  const { blocks } = inside;
  const inner = await Promise.all(
    blocks.map(async (block) => (block.inside ? layoutOf(block.inside, elk) : null)),
  );
  const sizes = blocks.map((block, i) => {
    const within = inner[i];
    return within
      ? { width: Math.max(block.width, within.width + 2 * PAD), height: within.height + HEAD + PAD }
      : { width: block.width, height: block.height };
  });
  const { corners, routes, width, height } = await placeLevel(inside, sizes, elk);
  const places: Place[] = [];
  const allRoutes = routes.map(({ edge: [from, to], points }) => ({
    from: blocks[from]?.name ?? '',
    to: blocks[to]?.name ?? '',
    points,
  }));
  blocks.forEach((block, i) => {
    const [x, y] = corners[i] ?? [0, 0];
    const size = sizes[i] ?? block;
    places.push({ name: block.name, x, y, width: size.width, height: size.height });
    const within = inner[i];
    if (!within) return;
    const [dx, dy] = [x + (size.width - within.width) / 2, y + HEAD];
    for (const place of within.places) places.push({ ...place, x: place.x + dx, y: place.y + dy });
    for (const route of within.routes) {
      allRoutes.push({
        ...route,
        points: route.points.map(([px, py]) => [px + dx, py + dy] as const),
      });
    }
  });
  return { places, routes: allRoutes, width, height };
}

interface Level {
  corners: Point[];
  routes: Route[];
  width: number;
  height: number;
}

/** The flow in layers, unconnected blocks below it, apart blocks beside it. */
async function placeLevel(
  { blocks, edges }: Inside,
  sizes: readonly Size[],
  elk: Engine,
): Promise<Level> {
  const tied = new Set(edges.flat());
  const all = blocks.map((_, i) => i);
  const flow = all.filter((i) => tied.has(i));
  const loose = all.filter((i) => !tied.has(i) && !blocks[i]?.apart);
  const apart = all.filter((i) => !tied.has(i) && blocks[i]?.apart);
  const level: Level = { corners: [], routes: [], width: 0, height: 0 };
  if (flow.length > 0) await placeFlow(flow, edges, sizes, level, elk);
  if (loose.length > 0)
    placeGrid(loose, sizes, level, 0, level.height === 0 ? 0 : level.height + RANK_GAP);
  if (apart.length > 0)
    placeGrid(apart, sizes, level, level.width === 0 ? 0 : level.width + 2 * GAP, 0, 1);
  return level;
}

function placeGrid(
  items: readonly number[],
  sizes: readonly Size[],
  level: Level,
  left: number,
  top: number,
  most = Infinity,
): void {
  const widths = items.map((i) => sizes[i]?.width ?? 0);
  const widest = Math.max(...widths);
  const tallest = Math.max(...items.map((i) => sizes[i]?.height ?? 0));
  const columns = Math.min(
    most,
    Math.max(1, Math.round(Math.sqrt((items.length * 1.6 * (tallest + GAP)) / (widest + GAP)))),
  );
  let [x, y, rowHeight, column] = [left, top, 0, 0];
  for (const i of items) {
    const { width, height } = sizes[i] ?? { width: 0, height: 0 };
    if (column === columns) [x, y, rowHeight, column] = [left, y + rowHeight + GAP, 0, 0];
    level.corners[i] = [x, y];
    level.width = Math.max(level.width, x + width);
    level.height = Math.max(level.height, y + height);
    x += (columns === 1 ? width : Math.max(width, widest)) + GAP;
    rowHeight = Math.max(rowHeight, height);
    column++;
  }
}

async function placeFlow(
  flow: readonly number[],
  edges: Edges,
  sizes: readonly Size[],
  level: Level,
  elk: Engine,
): Promise<void> {
  const ranks = ranksOf(flow, edges);
  const pieces = edges.reduce(
    (sum, [from, to]) => sum + Math.abs((ranks.get(to) ?? 0) - (ranks.get(from) ?? 0)),
    0,
  );
  if (pieces > MOST_OF_ELK) {
    placeRanks(flow, ranks, edges, sizes, level);
    return;
  }
  const { corners, routes } =
    pieces > MOST_OF_DAGRE
      ? await elk(flow, edges, sizes, { beside: GAP, below: RANK_GAP })
      : withDagre(flow, edges, sizes);
  for (const [i, [x, y]] of corners) {
    level.corners[i] = [x, y];
    level.width = Math.max(level.width, x + (sizes[i]?.width ?? 0));
    level.height = Math.max(level.height, y + (sizes[i]?.height ?? 0));
  }
  level.routes.push(...routes);
}

function withDagre(flow: readonly number[], edges: Edges, sizes: readonly Size[]): Flow {
  const graph = new graphlib.Graph();
  graph.setGraph({
    rankdir: 'TB',
    nodesep: GAP,
    edgesep: 8,
    ranksep: RANK_GAP,
    ranker: flow.length > 100 ? 'longest-path' : 'network-simplex',
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const i of flow) graph.setNode(String(i), { ...sizes[i] });
  for (const [from, to] of edges) graph.setEdge(String(from), String(to));
  dagre(graph);
  const corners = new Map(
    flow.map((i): [number, Point] => {
      const { x, y, width, height } = graph.node(String(i)) as {
        x: number;
        y: number;
        width: number;
        height: number;
      };
      return [i, [x - width / 2, y - height / 2]];
    }),
  );
  const routes = edges.map((edge) => {
    const { points } = graph.edge(String(edge[0]), String(edge[1])) as {
      points: { x: number; y: number }[];
    };
    return { edge, points: points.slice(1, -1).map(({ x, y }) => [x, y] as const) };
  });
  return { corners, routes };
}

/** The longest path to each node; edges that close a cycle are ignored. */
export function ranksOf(flow: readonly number[], edges: Edges): Map<number, number> {
  const order = flowOrder(flow, edges);
  const places = new Map(order.map((i, place) => [i, place]));
  const place = (i: number): number => places.get(i) ?? 0;
  const ranks = new Map(flow.map((i) => [i, 0]));
  const onward = edges
    .filter(([from, to]) => place(from) < place(to))
    .sort((a, b) => place(a[0]) - place(b[0]));
  for (const [from, to] of onward)
    ranks.set(to, Math.max(ranks.get(to) ?? 0, (ranks.get(from) ?? 0) + 1));
  return ranks;
}

/** Simple layered layout for flows too large for dagre and ELK. */
function placeRanks(
  flow: readonly number[],
  ranks: ReadonlyMap<number, number>,
  edges: Edges,
  sizes: readonly Size[],
  level: Level,
): void {
  const rows: number[][] = [];
  for (const i of flow) (rows[ranks.get(i) ?? 0] ??= []).push(i);
  const sources = new Map<number, number[]>();
  for (const [from, to] of edges) addTo(sources, to, from);
  const middle = new Map<number, number>();
  let y = 0;
  for (const row of rows) {
    const wanted = new Map(
      row.map((i) => {
        const known = (sources.get(i) ?? []).flatMap((from) => middle.get(from) ?? []);
        return [i, known.length === 0 ? 0 : known.reduce((sum, x) => sum + x, 0) / known.length];
      }),
    );
    row.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
    const width = row.reduce((sum, i) => sum + (sizes[i]?.width ?? 0) + GAP, -GAP);
    let x = -width / 2;
    let tallest = 0;
    for (const i of row) {
      const size = sizes[i] ?? { width: 0, height: 0 };
      level.corners[i] = [x, y];
      middle.set(i, x + size.width / 2);
      x += size.width + GAP;
      tallest = Math.max(tallest, size.height);
    }
    y += tallest + RANK_GAP;
  }
  const left = Math.min(...flow.map((i) => level.corners[i]?.[0] ?? 0));
  for (const i of flow) {
    const [x, top] = level.corners[i] ?? [0, 0];
    level.corners[i] = [x - left, top];
    level.width = Math.max(level.width, x - left + (sizes[i]?.width ?? 0));
    level.height = Math.max(level.height, top + (sizes[i]?.height ?? 0));
  }
  for (const edge of edges) level.routes.push({ edge, points: [] });
}
