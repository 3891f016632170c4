import { describe, expect, it } from 'vitest';

import type { GraphStack } from './api';

import { ItemTree, seenOf } from './items';
import { node, partOf, scope } from './nodes_for_tests';

function treeOf(levels: Readonly<Record<string, ReturnType<typeof node>[]>>): ItemTree {
  const tree = new ItemTree();
  for (const [name, nodes] of Object.entries(levels)) tree.add(name, partOf(name, nodes));
  return tree;
}

const net = treeOf({
  '': [
    scope('net', 2),
    node('loss', ['net/b', 'net/inner/x']),
    node('w', [], { type: 'Parameter', independent_layout: true }),
  ],
  net: [node('net/b', ['net/inner/x', '^w']), scope('net/inner', 1)],
});

describe('seenOf', () => {
  it('draws edges between closed scopes and counts the edges of their nodes', () => {
    const { items, links } = seenOf(net, new Set());
    expect(items.map(({ item }) => item.name)).toEqual(['net', 'loss', 'w']);
    expect(links.map(({ from, to, count }) => [from, to, count])).toEqual([['net', 'loss', 2]]);
  });

  it('connects edges to the nodes of an open scope', () => {
    const { links } = seenOf(net, new Set(['net']));
    expect(links.map(({ from, to }) => [from, to])).toEqual([
      ['net/inner', 'net/b'],
      ['w', 'net/b'],
      ['net/b', 'loss'],
      ['net/inner', 'loss'],
    ]);
    expect(links.find(({ from }) => from === 'w')).toMatchObject({ control: true, apart: true });
  });

  it('omits edges from missing nodes, and open scopes that are not loaded yet', () => {
    const { items } = seenOf(net, new Set(['net', 'net/inner', 'gone']));
    expect(items.map(({ item, open }) => [item.name, open])).toEqual([
      ['net', true],
      ['net/b', false],
      ['net/inner', false],
      ['loss', false],
      ['w', false],
    ]);
    expect(seenOf(treeOf({ '': [node('a', ['nobody', 'a'])] }), new Set()).links).toEqual([]);
  });
});

describe('ItemTree', () => {
  it('finds the known item that contains a node', () => {
    expect(net.locate('net/inner/deep/x')).toBe('net/inner');
    expect(net.locate('elsewhere/x')).toBeNull();
    expect(net.pathTo('net/inner')).toEqual(['net', 'net/inner']);
  });
});

describe('a scope of many nodes', () => {
  const stack = (first: number, last: number, ...sources: readonly number[]): GraphStack => ({
    first,
    last,
    independent_layout: false,
    source: sources.map((place) => [place, 'data'] as const),
    input: first === 1 ? { in: { edge_type: 'control' } } : {},
  });

  function chain(): ItemTree {
    const tree = treeOf({ '': [node('in'), scope('s', 500, ['in']), node('out', ['s/n3'])] });
    tree.add('s', {
      name: 's',
      nodes: [],
      stacks: [stack(1, 250), stack(251, 500, 250)],
      places: { 's/n3': 3 },
    });
    return tree;
  }

  it('is split into bundles, with edges between them and to the outside', () => {
    const { items, links } = seenOf(chain(), new Set(['s']));
    expect(items.map(({ item }) => [item.name, item.label, item.count]).slice(2, 4)).toEqual([
      ['s/…1-250', '1 – 250', 250],
      ['s/…251-500', '251 – 500', 250],
    ]);
    expect(links.map(({ from, to, control }) => [from, to, control])).toEqual([
      ['in', 's/…1-250', true],
      ['s/…1-250', 's/…251-500', false],
      ['s/…1-250', 'out', false],
    ]);
  });

  it('connects edges to the nodes of an open bundle', () => {
    const tree = chain();
    tree.add('s/…1-250', {
      name: 's',
      stacks: [],
      nodes: [node('s/n3', ['s/n2']), node('s/n250', ['s/n249'])],
      places: { 's/n3': 3, 's/n2': 2, 's/n250': 250, 's/n249': 249 },
    });
    const { links } = seenOf(tree, new Set(['s', 's/…1-250']));
    expect(links.map(({ from, to }) => [from, to])).toEqual([
      ['s/n250', 's/…251-500'],
      ['s/n3', 'out'],
    ]);
    expect(tree.pathTo('s/n3')).toEqual(['s', 's/…1-250', 's/n3']);
  });

  it('locates a node once its bundle is known', () => {
    const tree = chain();
    expect(tree.locate('s/n400')).toBe('s');
    expect(tree.bundled('s')).toBe(true);
    tree.learn({ name: 's', nodes: [], stacks: [], places: { 's/n400': 400 } });
    expect(tree.locate('s/n400')).toBe('s/…251-500');
    expect(tree.locate('s/n400/within')).toBe('s/…251-500');
  });
});
