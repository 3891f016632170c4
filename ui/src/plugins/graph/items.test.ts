import { describe, expect, it } from 'vitest';

import { ItemTree, levelsOf, MOST_ITEMS, seenOf } from './items';
import { node, scope } from './nodes_for_tests';

function treeOf(levels: Readonly<Record<string, ReturnType<typeof node>[]>>): ItemTree {
  const tree = new ItemTree();
  for (const [name, nodes] of Object.entries(levels)) tree.add(levelsOf(name, nodes));
  return tree;
}

const net = treeOf({
  '': [scope('net', 2), node('loss', ['net/b', 'net/inner/x']), node('w', [], { type: 'Parameter', independent_layout: true })],
  net: [node('net/b', ['net/inner/x', '^w']), scope('net/inner', 1)],
});

describe('seenOf', () => {
  it('draws edges between what is closed, and counts those it stands for', () => {
    const { items, links } = seenOf(net, new Set());
    expect(items.map(({ item }) => item.name)).toEqual(['net', 'loss', 'w']);
    expect(links.map(({ from, to, count }) => [from, to, count])).toEqual([['net', 'loss', 2]]);
  });

  it('leads edges to what is inside once a scope is open', () => {
    const { links } = seenOf(net, new Set(['net']));
    expect(links.map(({ from, to }) => [from, to])).toEqual([['net/inner', 'net/b'], ['w', 'net/b'], ['net/b', 'loss'], ['net/inner', 'loss']]);
    expect(links.find(({ from }) => from === 'w')).toMatchObject({ control: true, apart: true });
  });

  it('leaves out edges from nowhere and what is open but not known yet', () => {
    const { items } = seenOf(net, new Set(['net', 'net/inner', 'gone']));
    expect(items.map(({ item, open }) => [item.name, open])).toEqual([
      ['net', true], ['net/b', false], ['net/inner', false], ['loss', false], ['w', false],
    ]);
    expect(seenOf(treeOf({ '': [node('a', ['nobody', 'a'])] }), new Set()).links).toEqual([]);
  });
});

describe('ItemTree', () => {
  it('finds the known item that a node stands in', () => {
    expect(net.locate('net/inner/deep/x')).toBe('net/inner');
    expect(net.locate('elsewhere/x')).toBeNull();
    expect(net.pathTo('net/inner')).toEqual(['net', 'net/inner']);
  });
});

describe('levelsOf', () => {
  it('gathers what is too much to look at in bundles that follow the flow', () => {
    // A chain, logged backwards, with a branch that nothing ties to it.
    const chain = Array.from({ length: 1000 }, (_, i) => node(`s/n${i}`, i === 999 ? [] : [`s/n${i + 1}`]));
    const tree = new ItemTree();
    tree.add(levelsOf('s', chain));
    const bundles = tree.level('s') ?? [];
    expect(bundles.map(({ label, count }) => [label, count])[0]).toEqual(['1 – 50', 50]);
    expect(tree.level(bundles[0]?.name ?? '')?.map(({ label }) => label).slice(0, 2)).toEqual(['n999', 'n998']);
    expect(tree.pathTo('s/n0')).toEqual(['s', 's/…951-1000', 's/n0']);
  });

  it.each([300, 26_000])('never puts more beside each other than can be drawn, of %i', (count) => {
    const levels = levelsOf('', Array.from({ length: count }, (_, i) => node(`n${i}`, i % 7 === 0 ? [] : [`n${i - 1}`, `n${(i * 31) % count}`])));
    const leaves = [...levels.values()].flat().filter(({ kind }) => kind === 'operator');
    expect(Math.max(...[...levels.values()].map((items) => items.length))).toBeLessThanOrEqual(MOST_ITEMS);
    expect(new Set(leaves.map(({ name }) => name)).size).toBe(count);
  });

  it('keeps all nodes of a cycle', () => {
    const cycle = Array.from({ length: 300 }, (_, i) => node(`n${i}`, [`n${(i + 1) % 300}`]));
    expect([...levelsOf('', cycle).values()].flat().filter(({ kind }) => kind === 'operator')).toHaveLength(300);
  });
});
