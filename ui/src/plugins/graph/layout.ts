import type { Rectangle, Size } from '@/base/shapes';

import { dagreFlow } from './dagre_flow';
import { flowOrder, type Edges } from './flow_order';
import { rankFlow } from './rank_flow';
import { ranksOf } from './ranks';
import { bandsOf, routed } from './routes';

export interface Block extends Size {
  readonly name: string;
  readonly apart: boolean;
  readonly inside: Inside | null;
}

/** The part of an edge inside a scope that it leaves or enters. */
export interface Port {
  /** The edge in the scope around both of its ends, as `edgeKey` names it. */
  readonly edge: string;
  readonly leaving: boolean;
  /** Indices of the blocks that it comes from, or goes to. */
  readonly blocks: readonly number[];
}

export interface Inside {
  readonly blocks: readonly Block[];
  /** Indices of blocks. */
  readonly edges: Edges;
  readonly ports: readonly Port[];
}

export type Point = readonly [number, number];

export interface Place extends Rectangle {
  readonly name: string;
}

export interface Placed extends Size {
  readonly places: readonly Place[];
  /** By `edgeKey` or `portKey`, from the source on. */
  readonly routes: ReadonlyMap<string, readonly Point[]>;
}

export const edgeKey = (from: string, to: string): string => JSON.stringify([from, to]);
export const portKey = (edge: string, block: string): string => JSON.stringify([edge, block]);

export const HEAD = 28;
const PAD = 14;
const GAPS = { beside: 18, below: 38 } as const;
const PORT: Size = { width: 2, height: 0 };
/** Edge lengths summed over ranks that dagre lays out at once, ELK within two seconds. */
const MOST_OF_DAGRE = 600;
const MOST_OF_ELK = 6000;

/** A flow without cycles. */
export interface FlowQuestion {
  readonly flow: readonly number[];
  readonly edges: Edges;
  readonly sizes: (i: number) => Size;
  readonly ranks: ReadonlyMap<number, number>;
  /** Whether it is at the top or bottom of the flow, alone in its rank but for others. */
  readonly sideOf: (i: number) => Side | null;
  readonly gaps: { readonly beside: number; readonly below: number };
}

export interface Flow {
  readonly corners: ReadonlyMap<number, Point>;
  /** Of each edge, where it passes other ranks. */
  readonly bends: readonly (readonly Point[])[];
}

export type Engine = (question: FlowQuestion) => Promise<Flow>;
type Side = 'top' | 'bottom';

export async function layoutOf(inside: Inside, elk: Engine): Promise<Placed> {
  const { places, routes, width, height } = await laidOut(inside, elk, new Set());
  return { places, routes, width, height };
}

interface LaidOut extends Placed {
  /** The horizontal position of each edge that leaves or enters. */
  readonly ports: ReadonlyMap<string, number>;
}

/** `upward` are the edges around this scope that go against the flow. */
async function laidOut(inside: Inside, elk: Engine, upward: ReadonlySet<string>): Promise<LaidOut> {
  const { blocks, edges } = inside;
  const order = new Map(
    flowOrder(
      blocks.map((_, i) => i),
      edges,
    ).map((i, place) => [i, place]),
  );
  const back = new Set(upward);
  for (const [from, to] of edges)
    if ((order.get(from) ?? 0) > (order.get(to) ?? 0))
      back.add(edgeKey(blocks[from]?.name ?? '', blocks[to]?.name ?? ''));
  const inner = await Promise.all(
    blocks.map(async (block) => (block.inside ? laidOut(block.inside, elk, back) : null)),
  );
  const sizes = blocks.map((block, i) => {
    const within = inner[i];
    return within
      ? { width: Math.max(block.width, within.width + 2 * PAD), height: within.height + HEAD + PAD }
      : { width: block.width, height: block.height };
  });
  const offsetOf = (i: number): number => ((sizes[i]?.width ?? 0) - (inner[i]?.width ?? 0)) / 2;
  const level = await placeLevel(inside, sizes, elk, back, (i, edge) => {
    const port = inner[i]?.ports.get(edge);
    return port === undefined ? (sizes[i]?.width ?? 0) / 2 : offsetOf(i) + port;
  });
  const places: Place[] = [];
  const routes = new Map<string, readonly Point[]>(level.routes);
  blocks.forEach((block, i) => {
    const [x, y] = level.corners[i] ?? [0, 0];
    const size = sizes[i] ?? block;
    places.push({ name: block.name, x, y, width: size.width, height: size.height });
    const within = inner[i];
    if (!within) return;
    const [dx, dy] = [x + offsetOf(i), y + HEAD];
    for (const place of within.places) places.push({ ...place, x: place.x + dx, y: place.y + dy });
    for (const [key, points] of within.routes)
      routes.set(
        key,
        points.map(([px, py]) => [px + dx, py + dy] as const),
      );
  });
  return { places, routes, width: level.width, height: level.height, ports: level.ports };
}

interface Level {
  corners: Point[];
  routes: Map<string, readonly Point[]>;
  ports: Map<string, number>;
  width: number;
  height: number;
}

type AnchorOf = (block: number, edge: string) => number;

/** The flow in layers, unconnected blocks below it, apart blocks beside it. */
async function placeLevel(
  inside: Inside,
  sizes: readonly Size[],
  elk: Engine,
  upward: ReadonlySet<string>,
  anchorOf: AnchorOf,
): Promise<Level> {
  const { blocks, edges, ports } = inside;
  const tied = new Set([...edges.flat(), ...ports.flatMap((port) => port.blocks)]);
  const all = blocks.map((_, i) => i);
  const flow = all.filter((i) => tied.has(i));
  const loose = all.filter((i) => !tied.has(i) && !blocks[i]?.apart);
  const apart = all.filter((i) => !tied.has(i) && blocks[i]?.apart);
  const level: Level = { corners: [], routes: new Map(), ports: new Map(), width: 0, height: 0 };
  const drawRoutes =
    flow.length > 0 ? await placeFlow(flow, inside, sizes, level, elk, upward, anchorOf) : null;
  // Edges to the outside leave at the bottom.
  const beside = ports.length > 0;
  const right = (): number => (level.width === 0 ? 0 : level.width + 2 * GAPS.beside);
  if (loose.length > 0)
    placeGrid(
      loose,
      sizes,
      level,
      beside ? right() : 0,
      beside || level.height === 0 ? 0 : level.height + GAPS.below,
    );
  if (apart.length > 0) placeGrid(apart, sizes, level, right(), 0, columnsOf(apart, sizes, level));
  drawRoutes?.();
  return level;
}

/** As many columns as a height like the flow's needs. */
function columnsOf(items: readonly number[], sizes: readonly Size[], level: Level): number {
  const height = items.reduce((sum, i) => sum + (sizes[i]?.height ?? 0) + GAPS.beside, 0);
  return Math.max(1, Math.ceil(height / Math.max(level.height, 240)));
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
    Math.max(
      1,
      Math.round(
        Math.sqrt((items.length * 1.6 * (tallest + GAPS.beside)) / (widest + GAPS.beside)),
      ),
    ),
  );
  let [x, y, rowHeight, column] = [left, top, 0, 0];
  for (const i of items) {
    const { width, height } = sizes[i] ?? { width: 0, height: 0 };
    if (column === columns) [x, y, rowHeight, column] = [left, y + rowHeight + GAPS.beside, 0, 0];
    level.corners[i] = [x, y];
    level.width = Math.max(level.width, x + width);
    level.height = Math.max(level.height, y + height);
    x += (columns === 1 ? width : Math.max(width, widest)) + GAPS.beside;
    rowHeight = Math.max(rowHeight, height);
    column++;
  }
}

/** Returns what adds the routes, which end at the bottom of the level. */
async function placeFlow(
  blocks: readonly number[],
  inside: Inside,
  sizes: readonly Size[],
  level: Level,
  elk: Engine,
  upward: ReadonlySet<string>,
  anchorOf: AnchorOf,
): Promise<() => void> {
  const first = inside.blocks.length;
  const nameOf = (i: number): string => inside.blocks[i]?.name ?? '';
  const sides = inside.ports.map(({ edge, leaving }): Side =>
    leaving === upward.has(edge) ? 'top' : 'bottom',
  );
  // Edges against the flow are turned around, so that no engine has to break cycles.
  const pieces = [
    ...inside.edges.map(([from, to]) => {
      const edge = edgeKey(nameOf(from), nameOf(to));
      return { from, to, edge, key: edge, turned: upward.has(edge) };
    }),
    ...inside.ports.flatMap(({ edge, leaving, blocks: ends }, n) =>
      ends.map((block) => ({
        from: leaving ? block : first + n,
        to: leaving ? first + n : block,
        edge,
        key: portKey(edge, nameOf(block)),
        turned: upward.has(edge),
      })),
    ),
  ].map((piece) => ({
    ...piece,
    ends: piece.turned ? ([piece.to, piece.from] as const) : ([piece.from, piece.to] as const),
  }));
  const sizeOf = (i: number): Size => sizes[i] ?? PORT;
  const edges = pieces.map(({ ends }) => ends);
  const ranks = ranksOf(
    blocks,
    inside.edges.map((_, i) => edges[i] ?? [0, 0]),
  );
  const deepest = Math.max(...ranks.values());
  sides.forEach((side, n) => ranks.set(first + n, side === 'top' ? -1 : deepest + 1));
  const shift = sides.includes('top') ? 1 : 0;
  const question: FlowQuestion = {
    flow: [...blocks, ...sides.map((_, n) => first + n)],
    edges,
    sizes: sizeOf,
    ranks: new Map([...ranks].map(([i, rank]) => [i, rank + shift])),
    sideOf: (i) => sides[i - first] ?? null,
    gaps: GAPS,
  };
  const lengths = edges.reduce(
    (sum, [from, to]) => sum + (ranks.get(to) ?? 0) - (ranks.get(from) ?? 0),
    0,
  );
  const { corners, bends } =
    lengths > MOST_OF_ELK
      ? rankFlow(question)
      : lengths > MOST_OF_DAGRE
        ? await elk(question)
        : dagreFlow(question);
  const boxOf = (i: number): Rectangle => {
    const [x, y] = corners.get(i) ?? [0, 0];
    return { x, y, ...sizeOf(i) };
  };
  for (const i of question.flow) {
    const { x, y, width, height } = boxOf(i);
    if (i < first) level.corners[i] = [x, y];
    level.width = Math.max(level.width, x + width);
    level.height = Math.max(level.height, y + height);
  }
  inside.ports.forEach(({ edge }, n) => level.ports.set(edge, boxOf(first + n).x + PORT.width / 2));
  const bands = bandsOf(blocks.map(boxOf));
  const anchor = (i: number, edge: string): Point => {
    const { x, y } = boxOf(i);
    return i < first ? [x + anchorOf(i, edge), y] : [x + PORT.width / 2, y];
  };
  return () => {
    pieces.forEach(({ edge, key, turned, ends: [from, to] }, i) => {
      const [above, below] = [anchor(from, edge), anchor(to, edge)];
      const points = routed(
        [above[0], above[1] + sizeOf(from).height],
        below,
        bands,
        bends[i] ?? [],
      );
      if (from >= first) points.unshift([above[0], -HEAD]);
      if (to >= first) points.push([below[0], level.height + PAD]);
      level.routes.set(key, turned ? points.reverse() : points);
    });
  };
}
