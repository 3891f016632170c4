import { getJson, postForJson } from '@/api/client';

/** First and last step of a chart that shows a place in its surroundings. */
export type StepWindow = readonly [number, number];

export const SEVERITIES = ['severe', 'warning', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

interface Event {
  /** Null: the base dir. */
  readonly train_id: string | null;
  readonly kind: string;
  readonly severity: Severity;
  /** Findings that it stands for. */
  readonly count: number;
}

/** What is wrong with a file or directory. */
export interface LogEvent extends Event {
  readonly path: string;
  readonly detail: string;
  readonly lost_records: number;
  /** Bytes in the file, the first of them. */
  readonly offsets: readonly number[];
}

/** What befell scalars of a job: in one series, or in several at the same steps or at the same time. */
export interface SeriesEvent extends Event {
  readonly train_id: string;
  /** How many series it befell. */
  readonly tags: number;
  readonly step: number;
  readonly end_step: number;
  /** The least and the most: of a gap in steps, of pauses and clocks in seconds, else of points. */
  readonly size: readonly [number, number];
  readonly window: StepWindow;
  /** Where it is seen, the first of them. */
  readonly places: readonly {
    readonly tag: string;
    readonly step: number;
    readonly end_step: number;
    readonly window: StepWindow;
  }[];
}

export type HealthEvent = LogEvent | SeriesEvent;

export interface HealthAnswer {
  /** Jobs that were asked about, those whose series have been looked into, and those with news since. */
  readonly train_jobs: number;
  readonly looked_into: number;
  readonly outdated: number;
  /** Findings of all these jobs, whatever kinds were asked for. */
  readonly counts: Readonly<Record<string, number>>;
  readonly severities: Readonly<Record<Severity, number>>;
  /** Events of the kinds asked for, and the findings that they stand for. */
  readonly total: number;
  readonly total_count: number;
  /** Events of runs that have more than are listed of one. */
  readonly unlisted: number;
  readonly events: readonly HealthEvent[];
}

export interface HealthQuestion {
  /** Empty: of all jobs, and of the base dir. */
  readonly train_id: readonly string[];
  readonly without: readonly string[];
  /** Empty: all kinds. */
  readonly kind: readonly string[];
  /** Empty: all severities. */
  readonly severity: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

/** What is wrong in logs and odd in scalars, the worst first, as far as the server knows by now. */
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

/** Where a damaged record would have been: behind the last point before it; null if there is none. */
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
