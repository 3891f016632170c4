import { getJson } from './client';

export type Severity = 'severe' | 'warning' | 'note';

export interface IssueCounts {
  /** Runs, those already checked, and those with newer data. */
  readonly train_jobs: number;
  readonly looked_into: number;
  readonly outdated: number;
  readonly severities: Readonly<Record<Severity, number>>;
  /** Runs with NaN or infinite values, and which of these: `nan`, `infinity`. */
  readonly diverged: Readonly<Record<string, readonly string[]>>;
}

/** Numbers of issues in all runs and the log directory, as far as checked. */
export const fetchIssueCounts = (): Promise<IssueCounts> => getJson('findings', { limit: 0 });
