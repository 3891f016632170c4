import type { LabelColumn } from './api';
import { parsePattern } from '@/base/pattern';

/** Points with a label that matches; none without a pattern. */
export function matchingPoints(labels: readonly LabelColumn[], text: string): Set<number> {
  const found = new Set<number>();
  if (text === '') return found;
  const pattern = parsePattern(text);
  for (const { values, codes } of labels) {
    const matches = values.map((value) => pattern.matches(value));
    codes.forEach((code, i) => {
      if (matches[code]) found.add(i);
    });
  }
  return found;
}
