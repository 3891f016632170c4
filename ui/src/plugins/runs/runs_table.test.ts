import { expect, test } from 'vitest';

import { columnOf } from './columns';
import { valueColumn } from './runs_table';

test('the first direction of a column is the same before and after its values are known', () => {
  const descends = (id: string, numeric: boolean): boolean | undefined =>
    valueColumn(columnOf(id, numeric), () => null, false).sortDescFirst;
  for (const [id, first] of [
    ['user_defined/lr', false],
    ['optimizer', false],
    ['metric/accuracy', true],
    ['metric/val_loss', false],
    ['updated', true],
    ['name', false],
  ] as const)
    expect([id, descends(id, false), descends(id, id !== 'name')]).toEqual([id, first, first]);
});
