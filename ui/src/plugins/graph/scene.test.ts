import { describe, expect, it } from 'vitest';

import { tintsOf } from './colors';
import { ItemTree, seenOf } from './items';
import { layoutOf } from './layout';
import { node, partOf, scope } from './nodes_for_tests';
import { svgOf } from './picture';
import { insideOf, reached, sceneOf, type Scene } from './scene';

const tree = new ItemTree();
tree.add(
  '',
  partOf('', [
    node('in'),
    scope('net', 2, ['in']),
    node('loss', ['net/b']),
    node('w', [], { type: 'Parameter', independent_layout: true }),
  ]),
);
tree.add(
  'net',
  partOf('net', [node('net/a', ['in', 'w']), node('net/b', ['net/a'], { type: '<Relu>&' })]),
);

async function sceneWith(open: readonly string[], apart = true): Promise<Scene> {
  const seen = seenOf(tree, new Set(open));
  return sceneOf(
    seen,
    await layoutOf(insideOf(seen, apart), () => Promise.reject(new Error('These are small.'))),
  );
}

describe('sceneOf', () => {
  it('draws an edge between boxes of different scopes', async () => {
    const scene = await sceneWith(['net']);
    expect(scene.boxes.map(({ name, depth }) => [name, depth])).toEqual([
      ['in', 0],
      ['net', 0],
      ['net/a', 1],
      ['net/b', 1],
      ['loss', 0],
      ['w', 0],
    ]);
    const line = scene.lines.find(({ from, to }) => from === 'net/b' && to === 'loss');
    expect(line?.upward).toBe(false);
    expect(line?.tip[1]).toBe(scene.byName.get('loss')?.y);
  });

  it('puts parameters beside the flow, or in it', async () => {
    const [apart, within] = [await sceneWith([]), await sceneWith(['net'], false)];
    expect(apart.byName.get('w')?.x).toBeGreaterThan(apart.byName.get('net')?.x ?? 0);
    expect(within.byName.get('w')?.y).toBeLessThan(within.byName.get('net/a')?.y ?? 0);
  });
});

describe('reached', () => {
  it('returns the adjacent boxes, or all connected ones', async () => {
    const { lines } = await sceneWith(['net']);
    expect([...reached(lines, 'loss', 'up', false)]).toEqual(['net/b']);
    expect([...reached(lines, 'loss', 'up', true)].sort()).toEqual(['in', 'net/a', 'net/b', 'w']);
    expect([...reached(lines, 'in', 'down', true)]).toEqual(['net/a', 'net/b', 'loss']);
  });
});

describe('svgOf', () => {
  it('draws all boxes and escapes their names', async () => {
    const scene = await sceneWith(['net']);
    const odd: Scene = {
      ...scene,
      boxes: scene.boxes.map((box) => ({ ...box, label: `<b>"${box.label}"&\u0001` })),
    };
    const text = svgOf(odd, tintsOf([], 'type', 'dark', () => undefined).of, 'dark', true);
    expect(text.match(/<rect /g)).toHaveLength(scene.boxes.length + 1);
    expect(text).toContain('&lt;b&gt;&quot;net (2)&quot;&amp;</text>');
  });
});
