import Elk from 'elkjs/lib/elk.bundled.js';
import { describe, expect, it } from 'vitest';

import { elkEngine } from './elk_flow';
import { layoutOf, type Block, type Inside, type Place, type Placed } from './layout';
import { ranksOf } from './ranks';

const block = (name: string, inside: Inside | null = null, apart = false): Block => ({
  name,
  width: 80,
  height: 28,
  apart,
  inside,
});
const chain = (count: number, prefix = 'n'): Inside => ({
  blocks: Array.from({ length: count }, (_, i) => block(`${prefix}${i}`)),
  edges: Array.from({ length: count - 1 }, (_, i) => [i, i + 1] as const),
  ports: [],
});

const routesOf = ({ routes }: Placed): { from: string; to: string; points: number }[] =>
  [...routes].map(([key, { length: points }]) => {
    const [from = '', to = ''] = JSON.parse(key) as string[];
    return { from, to, points };
  });

function overlapping(places: readonly Place[]): string[] {
  return places.flatMap((a, i) =>
    places
      .slice(i + 1)
      .filter(
        (b) =>
          a.x < b.x + b.width &&
          b.x < a.x + a.width &&
          a.y < b.y + b.height &&
          b.y < a.y + a.height,
      )
      .map((b) => `${a.name} ${b.name}`),
  );
}

const elk = elkEngine(() => new Elk());

describe('layoutOf', () => {
  it('directs the flow downwards', async () => {
    const placed = await layoutOf(chain(4), elk);
    const { places } = placed;
    expect(places.map(({ y }) => y)).toEqual([...places.map(({ y }) => y)].sort((a, b) => a - b));
    expect(routesOf(placed).map(({ from, to }) => `${from} ${to}`)).toEqual([
      'n0 n1',
      'n1 n2',
      'n2 n3',
    ]);
  });

  it('places children within their box', async () => {
    const { places } = await layoutOf(
      { blocks: [block('a'), block('open', chain(3, 'i'))], edges: [[0, 1]], ports: [] },
      elk,
    );
    const open = places.find(({ name }) => name === 'open');
    const inner = places.filter(({ name }) => name.startsWith('i'));
    expect(inner).toHaveLength(3);
    for (const { x, y, width, height } of inner) {
      expect(open).toBeDefined();
      expect(x >= (open?.x ?? 0) && y >= (open?.y ?? 0) + 28).toBe(true);
      expect(
        x + width <= (open?.x ?? 0) + (open?.width ?? 0) &&
          y + height <= (open?.y ?? 0) + (open?.height ?? 0),
      ).toBe(true);
    }
  });

  it('puts unconnected nodes below the flow, and separate ones beside it', async () => {
    const { blocks, edges } = chain(2);
    const { places } = await layoutOf(
      {
        blocks: [...blocks, block('loose'), block('w', null, true), block('v', null, true)],
        edges,
        ports: [],
      },
      elk,
    );
    const at = new Map(places.map((place) => [place.name, place]));
    expect(at.get('loose')?.y).toBeGreaterThan(at.get('n1')?.y ?? 0);
    expect(at.get('w')?.x).toBeGreaterThan((at.get('n0')?.x ?? 0) + 80);
    expect(at.get('v')?.x).toBe(at.get('w')?.x);
    expect(overlapping(places)).toEqual([]);
  });

  it.each([
    ['a cycle', chain(5), [[4, 0]]],
    ['an edge to itself by way of another', chain(2), [[1, 0]]],
    [
      'edges from everywhere to everywhere',
      { blocks: chain(200).blocks, edges: [], ports: [] },
      Array.from({ length: 6000 }, (_, i) => [i % 200, (i * 7 + 1) % 200]),
    ],
  ])('places %s without overlaps', async (_, { blocks, edges }, more) => {
    const all = [...edges, ...more.map(([a, b]) => [a ?? 0, b ?? 0] as const)].filter(
      ([a, b]) => a !== b,
    );
    const { places } = await layoutOf(
      {
        blocks,
        edges: [...new Map(all.map((edge) => [String(edge), edge])).values()],
        ports: [],
      },
      elk,
    );
    expect(places).toHaveLength(blocks.length);
    expect(overlapping(places)).toEqual([]);
  });

  it('lays out large flows with ELK, also downwards', async () => {
    const long = chain(120);
    const placed = await layoutOf(
      {
        ...long,
        edges: [...long.edges, ...Array.from({ length: 12 }, (_, i) => [i, 100 + i] as const)],
      },
      elk,
    );
    const { places } = placed;
    const routes = routesOf(placed);
    const at = new Map(places.map((place) => [place.name, place]));
    for (const { from, to } of routes)
      expect(at.get(to)?.y).toBeGreaterThan(at.get(from)?.y ?? Infinity);
    expect(routes.find(({ from, to }) => from === 'n3' && to === 'n103')?.points).toBeGreaterThan(
      1,
    );
    expect(overlapping(places)).toEqual([]);
  }, 20_000);

  it('is empty for an empty graph', async () => {
    expect(await layoutOf({ blocks: [], edges: [], ports: [] }, elk)).toEqual({
      places: [],
      routes: new Map(),
      width: 0,
      height: 0,
    });
  });
});

describe('ranksOf', () => {
  it('puts what nothing enters just above what it feeds', () => {
    expect(
      ranksOf(
        [0, 1, 2, 3],
        [
          [0, 1],
          [1, 2],
          [3, 2],
        ],
      ).get(3),
    ).toBe(1);
  });

  it('is the longest path to each node, in any order of edges', () => {
    expect([
      ...ranksOf(
        [0, 1, 2, 3],
        [
          [2, 3],
          [0, 3],
          [0, 1],
          [1, 2],
        ],
      ),
    ]).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });
});
