import { describe, expect, it } from 'vitest';

import { graphFacts, tintsOf } from './colors';
import { ItemTree } from './items';
import { node, partOf, scope } from './nodes_for_tests';

describe('graphFacts', () => {
  it('sums the times of scopes and bundles, and names their device if they share one', () => {
    const tree = new ItemTree();
    const stack = (first: number, last: number) => ({
      series: '',
      first,
      last,
      independent_layout: false,
      source: [],
      input: {},
    });
    tree.add('wide', {
      name: 'wide',
      nodes: [],
      stacks: [stack(1, 2), stack(3, 4), stack(5, 6)],
      places: {},
      structures: {},
    });
    tree.add('', { name: '', nodes: [scope('wide', 6)], stacks: [], places: {}, structures: {} });
    const facts = graphFacts({
      devices: ['gpu', 'cpu'],
      name: ['wide/a', 'wide/b', 'wide/c'],
      device: [0, null, 1],
      micros: [5, 7, 1],
      places: [
        { name: 'wide', device: [0, null, 1, -1, null, null], micros: [5, 7, 1, null, null, null] },
      ],
    });
    const of = (name: string) => {
      const item = tree.item(name);
      return item && facts.of(item);
    };
    expect(of('wide')).toEqual({ device: 'several', time: 13 });
    expect(of('wide/…1-2')).toEqual({ device: 'gpu', time: 12 });
    expect(of('wide/…3-4')).toEqual({ device: 'several', time: 1 });
    expect(of('wide/…5-6')).toEqual({ device: '', time: null });
    const bundles = tree.level('wide') ?? [];
    const { of: tintOf, legend } = tintsOf(bundles, 'time', 'light', facts.of);
    expect(legend.at(-1)?.label).toBe('12 µs');
    expect(new Set(bundles.map((item) => tintOf(item).fill)).size).toBe(3);
  });

  it('colors by the known facts, and lists times and devices', () => {
    const tree = new ItemTree();
    tree.add('net', partOf('net', [node('net/a'), node('net/b'), node('net/c')]));
    const { of } = graphFacts({
      devices: ['/gpu:0', '/cpu:0'],
      name: ['net/a', 'net/b'],
      device: [0, 1],
      micros: [30, 12],
      places: [],
    });
    const items = tree.level('net') ?? [];
    expect(tintsOf(items, 'time', 'light', of).legend.map(({ label }) => label)).toEqual([
      '0 µs',
      '15 µs',
      '30 µs',
    ]);
    expect(tintsOf(items, 'device', 'light', of).legend.map(({ label }) => label)).toEqual([
      '/cpu:0',
      '/gpu:0',
    ]);
    expect(tintsOf(items, 'time', 'light', () => undefined).legend).toEqual([]);
  });
});

describe('tintsOf by structure', () => {
  it('colors scopes of one structure alike, and leaves unique ones plain', () => {
    const tree = new ItemTree();
    const names = ['block1', 'block2', 'head', 'tail'];
    tree.add('', {
      ...partOf(
        '',
        names.map((name) => scope(name, 3)),
      ),
      structures: { block1: 0, block2: 0, head: 1 },
    });
    const items = tree.level('') ?? [];
    const { of, legend } = tintsOf(items, 'structure', 'light', () => undefined);
    const [first, second, head, tail] = items.map((item) => of(item).fill);
    expect(first).toBe(second);
    expect(new Set([first, head, tail]).size).toBe(3);
    expect(legend.map(({ label }) => label)).toEqual(['block ×2', 'head']);
  });
});
