import { expect, test } from 'vitest';

import type { ScalarSeries } from '@/api/scalars';
import { parseExpressions } from '@/base/expression';

import { computedSource } from './computed_series';
import type { LineSource } from './lines';

function source(steps: number[], values: number[]): LineSource {
  const series: ScalarSeries = {
    train_id: './a', tag: 't', total: steps.length, superseded: 0,
    step: Float64Array.from(steps), wall_time: Float64Array.from(steps), value: Float64Array.from(values),
  };
  return { whole: series, detail: null, series, window: false, reduced: false, restarts: [] };
}

const of = (text: string, sources: Record<string, LineSource>): LineSource | null => {
  const [expression] = parseExpressions(text);
  return expression ? computedSource(expression, (tag) => sources[tag] ?? null) : null;
};

test('an expression has the steps of its first tag, and what the others were then', () => {
  const found = of('a - b', { a: source([0, 1, 2, 5], [10, 11, 12, 15]), b: source([1, 4], [1, 4]) });
  expect([...(found?.series.step ?? [])]).toEqual([0, 1, 2, 5]);
  expect([...(found?.series.value ?? [])]).toEqual([NaN, 10, 11, 11]);
});

test('a run that lacks one of the tags has no line, and a tag alone is itself', () => {
  const a = source([0], [1]);
  expect(of('a + b', { a })).toBeNull();
  expect(of('a', { a })).toBe(a);
});
