import { expect, test } from 'vitest';

import type { Summary } from './grouping';
import { withoutMeans, type GroupTableRow } from './table_rows';

const group = (key: string, summary: Summary): GroupTableRow => ({
  kind: 'group',
  id: `group ${key}`,
  key,
  isOpen: true,
  count: 2,
  trainIds: ['./a', './b'],
  summaryOf: () => summary,
});

test('runs without config share values but have no mean', () => {
  const mean: Summary = { kind: 'mean', mean: 0.5, deviation: 0.1, count: 2 };
  const same: Summary = { kind: 'same', value: 'finished' };
  const summaryIn = (key: string, summary: Summary): Summary | undefined => {
    const row = withoutMeans(group(key, summary));
    return row.kind === 'group' ? row.summaryOf('metric/acc') : undefined;
  };
  expect(summaryIn('', mean)).toBeUndefined();
  expect(summaryIn('', same)).toEqual(same);
  expect(summaryIn('0.1', mean)).toEqual(mean);
});
