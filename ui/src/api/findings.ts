import { getJson, postIfChanged, type Versioned } from './client';

export type Severity = 'severe' | 'warning' | 'note';

export type SeverityCounts = Readonly<Record<Severity, number>>;

/** By train id. */
export type RunEvents = Readonly<Record<string, SeverityCounts>>;

export interface IssueCounts {
  /** Runs, those already checked, and those with newer data. */
  readonly train_jobs: number;
  readonly looked_into: number;
  readonly outdated: number;
  readonly severities: SeverityCounts;
  /** Runs with NaN or infinite values or a diverged loss: `nan`, `infinity`, `divergence`. */
  readonly diverged: Readonly<Record<string, readonly string[]>>;
  /** Events in the series of runs that have some, if requested. */
  readonly runs?: RunEvents;
}

/** Numbers of issues in all runs and the log directory, as far as checked. */
export const fetchIssueCounts = (withRuns: boolean): Promise<IssueCounts> =>
  getJson('findings', { limit: 0, runs: withRuns ? 'true' : undefined });

/** Events at values that are not finite. */
export const ODD_KINDS: readonly string[] = ['nan', 'infinity'];

/** Kinds of events that rules find in values. */
const RULE_KINDS = [
  ...ODD_KINDS,
  'spike',
  'divergence',
  'plateau',
  'throughput',
  'validation_gap',
  'gradient_change',
  'threshold',
];

/** Where a rule found something in a series: step, and first and last step of a view of it. */
export type RulePlace = readonly [step: number, first: number, last: number];

export interface RuleMarks {
  readonly kind: string;
  readonly rule: string;
  readonly tag: string;
  readonly places: readonly RulePlace[];
}

/** By train id. */
export type MarksOfRuns = Readonly<Record<string, readonly RuleMarks[]>>;

/** The arguments of a request for marks. */
export const marksQuery = (trainIds: readonly string[]) => ({
  train_id: trainIds,
  kind: RULE_KINDS,
  limit: 0,
  marks: true,
});

/** Every place where rules found something in these runs, as far as checked, if it has changed. */
export const fetchRuleMarks = (
  trainIds: readonly string[],
  etag: string | null,
): Promise<Versioned<IssueCounts & { readonly marks: MarksOfRuns }>> =>
  postIfChanged('findings', marksQuery(trainIds), etag);
