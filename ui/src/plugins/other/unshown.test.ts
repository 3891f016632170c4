import { expect, test } from 'vitest';

import { unshown } from './unshown';

test('kinds of data without a page are told, once each', () => {
  const jobs = [
    { plugins: { scalar: ['loss'], acme: ['t'], empty: [] } },
    { plugins: { acme: ['u'], optimized_graph: ['g'], aardvark: ['t'] } },
  ];
  expect(unshown(jobs, new Set(['scalar']))).toEqual(['aardvark', 'acme']);
});
