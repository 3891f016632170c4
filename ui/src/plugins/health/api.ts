import { getJson, postForJson } from '@/api/client';
import type { IssueCounts, Severity } from '@/api/findings';

export type StepWindow = readonly [number, number];

export const SEVERITIES = ['severe', 'warning', 'note'] as const;

interface Event {
  /** Null: the base dir. */
  readonly train_id: string | null;
  readonly kind: string;
  readonly severity: Severity;
  /** Findings in this event. */
  readonly count: number;
}

export interface LogEvent extends Event {
  readonly path: string;
  readonly detail: string;
  readonly lost_records: number;
  readonly offsets: readonly number[];
}

/** A finding in one series, or in several at the same steps or times. */
export interface SeriesEvent extends Event {
  readonly train_id: string;
  /** How often it happened. */
  readonly times: number;
  readonly tags: number;
  readonly step: number;
  readonly end_step: number;
  /** Min and max: steps of a gap, seconds of pauses and clocks, in units of a rule, else points. */
  readonly size: readonly [number, number];
  readonly window: StepWindow;
  readonly places: readonly {
    readonly tag: string;
    readonly step: number;
    readonly end_step: number;
    readonly window: StepWindow;
  }[];
  /** The rule that found it; empty for how the series was logged. */
  readonly rule: string;
  /** Other series that changed `lead` steps before, the earliest first. */
  readonly moved: readonly { readonly tag: string; readonly lead: number }[];
}

export type HealthEvent = LogEvent | SeriesEvent;

export interface HealthAnswer extends IssueCounts {
  /** Events of all these jobs, by kind. */
  readonly counts: Readonly<Record<string, number>>;
  readonly total: number;
  readonly total_count: number;
  /** Events of runs above the limit per run. */
  readonly unlisted: number;
  /** Runs that are too many to check: those updated least recently. */
  readonly unchecked: number;
  readonly events: readonly HealthEvent[];
}

export interface HealthQuestion {
  /** Empty: all jobs and the base dir. */
  readonly train_id: readonly string[];
  readonly without: readonly string[];
  readonly kind: readonly string[];
  readonly severity: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

/** Findings in logs and scalars, the worst first, as far as checked. */
export function fetchHealth({
  train_id,
  without,
  kind,
  severity,
  offset,
  limit,
}: HealthQuestion): Promise<HealthAnswer> {
  return postForJson('findings', { train_id, without, kind, severity, offset, limit });
}

/**
 * Where a damaged record would have been: after the last point before it. Null if there is none.
 */
export async function fetchPlace(
  trainId: string,
  path: string,
  offset: number,
): Promise<StepWindow | null> {
  const { place } = await getJson<{ place: { window: StepWindow } | null }>('findings/place', {
    train_id: trainId,
    path,
    offset,
  });
  return place?.window ?? null;
}
