import { expect, test } from 'vitest';

import {
  atBestColumn,
  isStatistic,
  readScalarColumn,
  sparkColumn,
  sparkTag,
} from './scalar_columns';

test('a column names its tag, statistic and the metric that selects the step', () => {
  expect(readScalarColumn('scalar/train/loss/min_step')).toEqual({
    tag: 'train/loss',
    statistic: 'min_step',
    at: null,
  });
  const column = atBestColumn('val/loss', 'val/acc 100%');
  expect(column).toBe('scalar/val/loss/at_max:val%2Facc%20100%25');
  expect(readScalarColumn(column)).toMatchObject({ tag: 'val/loss', at: 'max val/acc 100%' });
  expect(readScalarColumn(atBestColumn('acc', 'loss'))?.at).toBe('min loss');
  expect(readScalarColumn('scalar/a/at_min:%E0')?.at).toBe('min %E0');
  expect([readScalarColumn('metric/a/last'), readScalarColumn('scalar/a/mean')]).toEqual([
    null,
    null,
  ]);
  expect([isStatistic('loss/max'), isStatistic('loss/maximum')]).toEqual([true, false]);
  expect([sparkTag(sparkColumn('a/b')), sparkTag('scalar/a/last')]).toEqual(['a/b', null]);
});
