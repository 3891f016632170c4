import { expect, test } from 'vitest';

import { kindsOf } from './kinds';

test('kinds of data stand in the order people look at them, with the page that shows them', () => {
  const job = { plugins: { text: ['t'], roc_curve: ['r'], scalar: ['a', 'b'], audio: [], graph: ['g'], optimized_graph: ['g'] } };
  const pages = [{ name: 'scalar', data: ['scalar'] }, { name: 'curves', data: ['pr_curve', 'roc_curve'] }];
  expect(kindsOf(job, pages)).toEqual([
    { name: 'scalar', tags: ['a', 'b'], page: 'scalar' },
    { name: 'text', tags: ['t'], page: null },
    { name: 'graph', tags: ['g'], page: null },
    { name: 'roc_curve', tags: ['r'], page: 'curves' },
  ]);
});
