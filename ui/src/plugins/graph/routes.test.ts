import Elk from 'elkjs/lib/elk.bundled.js';
import { describe, expect, it } from 'vitest';

import { elkEngine } from './elk_flow';
import { ItemTree, seenOf } from './items';
import { layoutOf } from './layout';
import { node, partOf, scope } from './nodes_for_tests';
import { bandsOf, routed } from './routes';
import { insideOf, sceneOf, type Box, type Scene } from './scene';

const elk = elkEngine(() => new Elk());

describe('routed', () => {
  const box = (x: number, y: number) => ({ x, y, width: 100, height: 20 });

  it('is vertical beside the boxes of the ranks it passes', () => {
    const bands = bandsOf([box(0, 0), { ...box(0, 60), width: 110 }, box(150, 60), box(0, 120)]);
    expect(routed([50, 20], [50, 120], bands, [])).toEqual([
      [50, 20],
      [-8, 60],
      [-8, 80],
      [50, 120],
    ]);
    expect(routed([50, 20], [50, 120], bands, [[130, 70]])).toEqual([
      [50, 20],
      [130, 60],
      [130, 80],
      [50, 120],
    ]);
  });

  it('leaves the rank of a small box before it turns', () => {
    const bands = bandsOf([box(0, 0), { ...box(200, 0), height: 90 }, box(300, 130)]);
    expect(routed([50, 20], [350, 130], bands, [])).toEqual([
      [50, 20],
      [50, 90],
      [350, 130],
    ]);
  });
});

const NESTED = ['', 'a', 'b', 'a/c', 'b/d', 'a/c/e'];

/** Nested scopes with edges between nodes anywhere. */
function woven(
  seed: number,
  leaves: number,
  edges: number,
  scopes: readonly string[],
): { tree: ItemTree; open: Set<string> } {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const homes = Array.from({ length: leaves }, () => scopes[random(scopes.length)] ?? '');
  const names = homes.map((home, i) => `${home === '' ? '' : `${home}/`}n${i}`);
  const inputs = names.map((): string[] => []);
  for (let i = 0; i < edges; i++) {
    const [from, to] = [random(leaves), random(leaves)];
    // Mostly forwards.
    const [a, b] = random(20) === 0 ? [from, to] : [Math.min(from, to), Math.max(from, to)];
    if (a !== b) inputs[b]?.push(names[a] ?? '');
  }
  const tree = new ItemTree();
  for (const home of scopes) {
    tree.add(
      home,
      partOf(home, [
        ...names.flatMap((name, i) => (homes[i] === home ? [node(name, inputs[i])] : [])),
        ...scopes
          .filter((one) => one !== '' && one.replace(/\/?[^/]*$/, '') === home)
          .map((one) => scope(one, 1)),
      ]),
    );
  }
  return { tree, open: new Set(scopes) };
}

/** Places along a path of M, V and C with absolute coordinates. */
function placesAlong(path: string): [number, number][] {
  const places: [number, number][] = [];
  let [x, y] = [0, 0];
  for (const [, command, text = ''] of path.matchAll(/([MVC])([^MVC]*)/g)) {
    const n = text.split(/[ ,]/).map(Number);
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = n;
    if (command === 'M') [x, y] = [x1, y1];
    for (let t = 0; t <= 1; t += 0.05) {
      const u = 1 - t;
      if (command === 'V') places.push([x, y + t * (x1 - y)]);
      if (command === 'C')
        places.push([
          u ** 3 * x + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t ** 3 * x3,
          u ** 3 * y + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t ** 3 * y3,
        ]);
    }
    if (command === 'V') y = x1;
    if (command === 'C') [x, y] = [x3, y3];
  }
  return places;
}

/** Edges and the boxes that they run through, though they don't lead there. */
function throughOthers({ boxes, byName, lines }: Scene): string[] {
  const around = (box: Box | undefined): string[] =>
    box ? [box.name, ...around(byName.get(box.parent))] : [];
  return lines.flatMap(({ from, to, path }) => {
    const own = new Set([...around(byName.get(from)), ...around(byName.get(to))]);
    const places = placesAlong(path);
    return boxes
      .filter(({ name }) => !own.has(name))
      .filter(({ x, y, width, height }) =>
        places.some(
          ([px, py]) => px > x + 1 && px < x + width - 1 && py > y + 1 && py < y + height - 1,
        ),
      )
      .map(({ name }) => `${from} -> ${to} through ${name}`);
  });
}

describe('edges of open scopes', () => {
  it.each([
    ['dagre', 1, 20, 30, NESTED],
    ['dagre', 2, 40, 60, NESTED],
    ['dagre', 3, 60, 80, NESTED],
    ['ELK', 4, 120, 300, NESTED],
    ['rows', 5, 100, 1500, ['']],
  ])(
    'run through no box that they do not belong to: %s, seed %i',
    async (_, seed, n, edges, scopes) => {
      const { tree, open } = woven(seed, n, edges, scopes);
      const seen = seenOf(tree, open);
      const scene = sceneOf(seen, await layoutOf(insideOf(seen, false), elk));
      expect(scene.lines.length).toBeGreaterThan(n / 2);
      expect(throughOthers(scene)).toEqual([]);
    },
    30_000,
  );
});
