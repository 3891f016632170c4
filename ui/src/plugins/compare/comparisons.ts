import type { Comparison } from '@/cards/comparison';

import { byFolder } from '../by_folder';
import { plugins } from '../registry';

const found = byFolder(
  import.meta.glob<Comparison>('../*/comparison.ts', { eager: true, import: 'comparison' }),
);

export const COMPARISONS: ReadonlyMap<string, Comparison> = new Map(
  plugins.flatMap(({ name }) => {
    const comparison = found.get(name);
    return comparison ? [[name, comparison]] : [];
  }),
);

export const VIEWS: readonly [string, ...string[]] = [
  'parameters',
  'parity',
  ...COMPARISONS.keys(),
];

/** The first page's data, and views that no page shows by themselves. */
export const CHART_VIEWS: readonly string[] = [
  ...[...COMPARISONS.keys()].slice(0, 1),
  'parameters',
  'parity',
];
