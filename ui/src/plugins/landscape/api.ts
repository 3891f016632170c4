import { getJson } from '@/api/client';

export interface LandscapeInterval {
  readonly id: string;
  readonly value: readonly number[];
}

export interface IntervalsAnswer {
  readonly intervals: readonly LandscapeInterval[];
  readonly problems: readonly {
    readonly tag: string;
    readonly step: number;
    readonly detail: string;
  }[];
}

export const fetchIntervals = (trainId: string): Promise<IntervalsAnswer> =>
  getJson('datavisual/landscape/intervals', { train_id: trainId });

/** JSON has no NaN: it is text. */
type Loss = number | string | null;

export interface Landscape {
  readonly train_id: string;
  /** z[j][i] is the loss at x[i], y[j]. */
  readonly points: {
    readonly x: readonly number[];
    readonly y: readonly number[];
    readonly z: readonly (readonly Loss[])[];
  };
  readonly path?: {
    readonly x: readonly number[];
    readonly y: readonly number[];
    readonly z: readonly Loss[];
    readonly intervals: readonly number[];
  };
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly convergence_point: readonly number[];
}

export interface NoLandscape {
  readonly train_id: string;
  readonly error_code: string;
  readonly error_msg?: string;
}

/** Landscapes of jobs; a null interval is the result. */
export async function fetchLandscapes(
  trainIds: readonly string[],
  interval: string | null,
): Promise<readonly (Landscape | NoLandscape)[]> {
  const { landscapes } = await getJson<{ landscapes: readonly (Landscape | NoLandscape)[] }>(
    'datavisual/landscape/landscapes',
    { train_id: trainIds, type: interval === null ? 'final' : 'interval', interval_id: interval },
  );
  return landscapes;
}
