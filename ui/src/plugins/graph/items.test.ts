import { describe, expect, it } from 'vitest';

import type { GraphStack } from './api';

import { ItemTree, seenOf, shapeText } from './items';
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

describe('items beside the flow', () => {
  const graph = treeOf({
    '': [
      node('x'),
      scope('net', 3, ['x']),
      scope('gradients', 9, ['net/a']),
      node('init', ['^x'], { type: 'NoOp' }),
    ],
    gradients: [node('gradients/g', ['net/a']), node('gradients/h', ['gradients/g'])],
  });

  it('include initialization and gradients, but not what only sounds like them', () => {
    const tree = treeOf({
      '': ['save', 'gradients_1', 'init_3', 'saved', 'initial', 'x/save'].map((name) => node(name)),
    });
    expect(
      tree
        .level('')
        ?.filter(({ independent }) => independent)
        .map(({ name }) => name),
    ).toEqual(['save', 'gradients_1', 'init_3']);
  });

  it('are apart from the flow in both directions, but not from their own parts', () => {
    const { links } = seenOf(graph, new Set(['gradients']));
    expect(links.map(({ from, to, apart }) => [from, to, apart])).toEqual([
      ['x', 'net', false],
      ['net', 'gradients/g', true],
      ['gradients/g', 'gradients/h', false],
      ['x', 'init', true],
    ]);
  });
});

describe('labels', () => {
  it('name a series and count it', () => {
    const tree = treeOf({ '': [scope('Add[10]_0', 10, [], { type: 'aggregation_scope' })] });
    tree.add('many', {
      name: 'many',
      nodes: [],
      places: {},
      structures: {},
      stacks: [
        {
          series: 'ReadVariableOp',
          first: 1,
          last: 40,
          independent_layout: false,
          source: [],
          input: {},
        },
      ],
    });
    expect(tree.level('')?.[0]?.label).toBe('Add ×10');
    expect(tree.level('many')?.[0]?.label).toBe('ReadVariableOp ×40');
  });

  it('write the shape of an edge, if there is one', () => {
    const edge = { data_type: '', edge_type: 'data' as const, independent_layout: false };
    expect(shapeText({ ...edge, shape: [[8, -1, 4]] })).toBe('8×?×4');
    expect(shapeText({ ...edge, shape: [[8], [4]] })).toBe('');
    expect(shapeText({ ...edge, shape: [[8]], edge_type: 'control' })).toBe('');
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
    series: '',
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
      structures: {},
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
      structures: {},
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
    tree.learn({ name: 's', nodes: [], stacks: [], structures: {}, places: { 's/n400': 400 } });
    expect(tree.locate('s/n400')).toBe('s/…251-500');
    expect(tree.locate('s/n400/within')).toBe('s/…251-500');
  });
});
