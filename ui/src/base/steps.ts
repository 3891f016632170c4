import { lowerBound, nearestIndex } from './search';

export const STEP_RULES = ['nearest', 'previous', 'exact'] as const;
export type StepRule = (typeof STEP_RULES)[number];

/** Index of the row to show, or -1. A null step is the last. */
export function rowAt(steps: ArrayLike<number>, step: number | null, rule: StepRule): number {
  if (step === null) return steps.length - 1;
  if (rule === 'nearest') return nearestIndex(steps, step);
  const next = lowerBound(steps, step);
  if (steps[next] === step) return next;
  return rule === 'exact' ? -1 : next - 1;
}

export function unionOfSteps(lists: Iterable<ArrayLike<number>>): Float64Array {
  const all = new Set<number>();
  for (const list of lists) for (const step of Array.from(list)) all.add(step);
  return Float64Array.from(all).sort();
}
