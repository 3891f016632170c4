import { expect, test } from 'vitest';

import { plugins } from '../../registry';
import { kindsOf } from './kinds';

const iconOf = (page: string) => plugins.find(({ name }) => name === page)?.icon;

test('data kinds are in the order of their pages, with page and icon', () => {
  const job = {
    plugins: {
      text: ['t'],
      roc_curve: ['r'],
      scalar: ['a', 'b'],
      audio: [],
      graph: ['g'],
      optimized_graph: ['g'],
      hparams: ['h'],
    },
  };
  expect(kindsOf(job)).toMatchObject([
    { name: 'scalar', tags: ['a', 'b'], page: 'scalar', icon: iconOf('scalar') },
    { name: 'text', tags: ['t'], page: 'text', icon: iconOf('text') },
    { name: 'roc_curve', tags: ['r'], page: 'curves', icon: iconOf('curves') },
    { name: 'graph', tags: ['g'], page: 'graph', icon: iconOf('graph') },
    { name: 'health', tags: [], page: 'health', icon: iconOf('health') },
  ]);
});

test('a kind on several pages links to the page of its name, an unknown one to other data', () => {
  expect(kindsOf({ plugins: { tensor: ['t'] } })).toMatchObject([{ page: 'tensor' }, {}]);
  expect(kindsOf({ plugins: { invention: ['i'] } })).toMatchObject([
    { page: 'other', icon: iconOf('other'), preview: null },
    {},
  ]);
});
