import { expect, test } from 'vitest';

import { mostCommon } from './value_tag';

test('the value next to a job is of the first tag that most jobs have', () => {
  expect(
    mostCommon(
      new Map([
        ['train/loss', 3],
        ['lr', 1],
        ['train/acc', 3],
      ]),
    ),
  ).toBe('train/acc');
  expect(mostCommon(new Map())).toBeNull();
});
