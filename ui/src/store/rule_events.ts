import { ODD_KINDS, type MarksOfRuns, type RuleMarks } from '@/api/findings';

/** Runs whose events are marked in charts: more marks would hide the lines. */
export const MOST_RUNS = 50;
/** Marks of a line. */
const MOST_MARKS = 500;

/** An event that a rule found in a series. */
export interface Anomaly {
  readonly rule: string;
  readonly kind: string;
  readonly step: number;
  readonly window: readonly [number, number];
}

export const seriesKey = (trainId: string, tag: string): string => `${trainId}\0${tag}`;

/** By run. Lines mark their values that are not finite themselves. */
export const finiteRules = (
  marks: MarksOfRuns,
): readonly (readonly [string, readonly RuleMarks[]])[] =>
  Object.entries(marks).map(([trainId, rules]) => [
    trainId,
    rules.filter(({ kind }) => !ODD_KINDS.includes(kind)),
  ]);

/** The events to be marked, by series. */
export function eventsOf(
  rulesOf: readonly (readonly [string, readonly RuleMarks[]])[],
): Map<string, Anomaly[]> {
  const found = new Map<string, Anomaly[]>();
  for (const [trainId, rules] of rulesOf)
    for (const { kind, rule, tag, places } of rules) {
      const key = seriesKey(trainId, tag);
      const list = found.get(key) ?? [];
      found.set(key, list);
      for (const [step, ...window] of places.slice(0, MOST_MARKS - list.length))
        list.push({ rule, kind, step, window });
    }
  return found;
}
