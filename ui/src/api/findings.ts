import { getJson } from './client';
import type { Finding } from './status';

/** A finding and the job whose log it is in; null: the base dir. */
export interface FoundFinding extends Finding {
  readonly train_id: string | null;
  /** Nothing is missing because of it. */
  readonly harmless: boolean;
}

export interface FindingsAnswer {
  readonly total: number;
  /** How many of each kind. */
  readonly counts: Readonly<Record<string, number>>;
  readonly findings: readonly FoundFinding[];
}

export interface FindingsQuestion {
  /** Empty: of all jobs, and of the base dir. */
  readonly trainIds: readonly string[];
  /** Empty: all kinds. */
  readonly kinds: readonly string[];
  readonly limit: number;
}

/** What is wrong in logs. */
export function fetchFindings({ trainIds, kinds, limit }: FindingsQuestion): Promise<FindingsAnswer> {
  return getJson('findings', { train_id: trainIds, kind: kinds, limit });
}

/** First and last step of a chart that shows a place in its surroundings. */
export type StepWindow = readonly [number, number];

/** Something odd about the points of a series, computed over all of them. */
export interface Sign {
  readonly tag: string;
  readonly kind: string;
  readonly step: number;
  readonly end_step: number;
  readonly count: number;
  /** Of a gap in steps, of pauses and clocks in seconds; else as `count`. */
  readonly size: number;
  readonly window: StepWindow;
}

export interface SignsAnswer {
  readonly total: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly signs: readonly Sign[];
}

/** What is odd in a job's scalars. */
export function fetchSigns(trainId: string): Promise<SignsAnswer> {
  return getJson('findings/series', { train_id: trainId });
}

/** Where a damaged record would have been: behind the last point before it; null if there is none. */
export async function fetchPlace(trainId: string, path: string, offset: number): Promise<StepWindow | null> {
  const { place } = await getJson<{ place: { window: StepWindow } | null }>('findings/place', { train_id: trainId, path, offset });
  return place?.window ?? null;
}
