import { expect, test } from 'vitest';

import { kindsOf } from './kinds';

const pages = [
  { name: 'histogram', icon: 'histogram', data: ['histogram', 'tensor'] },
  { name: 'scalar', icon: 'scalar', data: ['scalar'] },
  { name: 'tensor', icon: 'tensor', data: ['tensor'] },
  { name: 'curves', icon: 'curves', data: ['pr_curve', 'roc_curve'] },
] as const;

test('kinds of data stand in the order people look at them, with the page that shows them and its icon', () => {
  const job = {
    plugins: {
      text: ['t'],
      roc_curve: ['r'],
      scalar: ['a', 'b'],
      audio: [],
      graph: ['g'],
      optimized_graph: ['g'],
    },
  };
  expect(kindsOf(job, pages)).toEqual([
    { name: 'scalar', tags: ['a', 'b'], page: 'scalar', icon: 'scalar' },
    { name: 'text', tags: ['t'], page: null, icon: 'table' },
    { name: 'graph', tags: ['g'], page: null, icon: 'table' },
    { name: 'roc_curve', tags: ['r'], page: 'curves', icon: 'curves' },
  ]);
});

test('a kind that several pages show leads to the one that is called so, and what no page knows to all other data', () => {
  expect(kindsOf({ plugins: { tensor: ['t'] } }, pages)).toMatchObject([
    { page: 'tensor', icon: 'tensor' },
  ]);
  const other = { name: 'other', icon: 'columns', data: [] } as const;
  expect(kindsOf({ plugins: { invention: ['i'] } }, [...pages, other])).toMatchObject([
    { page: 'other', icon: 'columns' },
  ]);
});
