import { expect, test } from 'vitest';

import type { GraphNode } from '@/api/graphs';

import { rankLayout } from './rank_layout';
import { edgesWithin, ownName, placedBoxes, sceneOf, scopesOf } from './layout';

const node = (name: string, inputs: string[] = [], more: Partial<GraphNode> = {}): GraphNode => ({
  name, type: 'Op', subnode_count: 0, attr: {}, output: {}, proxy_input: {}, proxy_output: {},
  independent_layout: false, is_dynamic_shape_node: false,
  input: Object.fromEntries(inputs.map((input) => [input, { edge_type: 'data' as const }])), ...more,
});

test('names have scopes', () => {
  expect(scopesOf('a/b/c')).toEqual(['a', 'a/b']);
  expect([ownName('a/b'), ownName('a'), scopesOf('a')]).toEqual(['b', 'a', []]);
});

test('an input from within a scope comes from the scope; what is elsewhere is no edge here', () => {
  const edges = edgesWithin([node('net'), node('loss', ['net/fc/MatMul', 'elsewhere/x', 'loss'])]);
  expect(edges).toEqual([{ from: 'net', to: 'loss', control: false }]);
});

test('an open scope holds its nodes, below each other as data flows', async () => {
  const scopes = new Map([
    ['', [node('net', [], { subnode_count: 2 }), node('loss', ['net/b']), node('Parameter[6]', [], { independent_layout: true })]],
    ['net', [node('net/a'), node('net/b', ['net/a'])]],
  ]);
  const scene = sceneOf(scopes, new Set(['net']), await rankLayout());
  const boxes = new Map(placedBoxes(scene).map((box) => [box.node.name, box]));
  const [net, a, b, loss, apart] = ['net', 'net/a', 'net/b', 'loss', 'Parameter[6]'].map((name) => boxes.get(name));
  if (!net || !a || !b || !loss || !apart) throw new Error('A box is missing.');
  expect(a.y + a.height).toBeLessThan(b.y);
  expect(b.y + b.height).toBeLessThan(net.y + net.height);
  expect(a.x).toBeGreaterThanOrEqual(net.x);
  expect(net.y + net.height).toBeLessThan(loss.y);
  expect(apart.x).toBeGreaterThan(net.x + net.width);
});

test('thousands of nodes in one scope stand in rows', async () => {
  const scene = sceneOf(new Map([['', Array.from({ length: 5_000 }, (_, i) => node(`n${i}`, i > 0 ? [`n${i - 1}`] : []))]]), new Set(), await rankLayout());
  expect(scene.boxes).toHaveLength(5_000);
  expect(new Set(scene.boxes.map(({ x, y }) => `${x} ${y}`)).size).toBe(5_000);
});
