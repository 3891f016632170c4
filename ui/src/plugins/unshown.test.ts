import { expect, test } from 'vitest';

import { unshown } from './unshown';

test('kinds of data without a page are listed once each', () => {
  const jobs = [
    { plugins: { scalar: ['loss'], acme: ['t'], empty: [] } },
    { plugins: { acme: ['u'], optimized_graph: ['g'], aardvark: ['t'] } },
  ];
  expect(unshown(jobs)).toEqual(['aardvark', 'acme']);
});
