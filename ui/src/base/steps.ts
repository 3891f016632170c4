import { lowerBound, nearestIndex } from './search';

/** What is shown of a series that has no value at the step looked at. */
export const STEP_RULES = ['nearest', 'previous', 'exact'] as const;
export type StepRule = (typeof STEP_RULES)[number];

/**
 * The row of ascending steps that is shown at a step; -1: none. A step of null is the newest, of
 * each series its own.
 */
export function rowAt(steps: ArrayLike<number>, step: number | null, rule: StepRule): number {
  if (step === null) return steps.length - 1;
  if (rule === 'nearest') return nearestIndex(steps, step);
  const next = lowerBound(steps, step);
  if (steps[next] === step) return next;
  return rule === 'exact' ? -1 : next - 1;
}

/** All steps that any of the series has, ascending, each once. */
export function unionOfSteps(lists: Iterable<ArrayLike<number>>): Float64Array {
  const all = new Set<number>();
  for (const list of lists) for (const step of Array.from(list)) all.add(step);
  return Float64Array.from(all).sort();
}
