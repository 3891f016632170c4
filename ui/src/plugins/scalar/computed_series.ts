import type { ScalarSeries } from '@/api/scalars';
import { tagsOf, valueOf, type Expression } from '@/base/expression';

import { heldAt } from './held_values';
import type { LineSource } from './lines';

/**
 * What an expression comes to, at the steps of its first tag; of the others the value at a step is
 * that of their last point there or before. Null where one of them is not there.
 */
export function computedSource(expression: Expression, sourceOf: (tag: string) => LineSource | null): LineSource | null {
  const tags = tagsOf(expression);
  const sources = tags.map(sourceOf);
  const first = sources[0];
  if (!first || sources.includes(null)) return null;
  if (expression.kind === 'tag') return first;
  const { step } = first.series;
  const column = (of: (series: ScalarSeries) => Float64Array): Float64Array => {
    const columns = sources.map((source) => {
      const series = source?.series ?? first.series;
      return series === first.series ? of(series) : heldAt(series, step, of(series));
    });
    return step.map((_, i) => valueOf(expression, new Map(tags.map((tag, k) => [tag, columns[k]?.[i] ?? NaN]))));
  };
  const smoothed = first.series.smoothed !== undefined;
  const series: ScalarSeries = {
    ...first.series,
    value: column(({ value }) => value),
    ...(smoothed && { smoothed: column((one) => one.smoothed ?? one.value) }),
  };
  return { ...first, whole: series, detail: null, series };
}
