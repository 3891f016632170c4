import { getJson } from './client';

export interface LandscapeInterval {
  readonly id: string;
  readonly value: readonly number[];
}

export interface Landscape {
  readonly train_id: string;
  readonly error_code?: string;
  readonly points?: { readonly x: readonly number[]; readonly y: readonly number[]; readonly z: readonly (readonly number[])[] };
  readonly path?: { readonly x: readonly number[]; readonly y: readonly number[]; readonly z: readonly number[]; readonly intervals: readonly number[] };
  readonly metadata?: { readonly unit: string; readonly decomposition: string };
  readonly convergence_point?: readonly [number, number, number];
}

export async function fetchIntervals(trainId: string): Promise<readonly LandscapeInterval[]> {
  return (await getJson<{ intervals: readonly LandscapeInterval[] }>('datavisual/landscape/intervals', { train_id: trainId })).intervals;
}

/** Landscapes of an interval; without one those around the results. */
export async function fetchLandscapes(trainIds: readonly string[], intervalId: string): Promise<readonly Landscape[]> {
  const query = { train_id: trainIds, type: intervalId === '' ? 'final' : 'interval', interval_id: intervalId === '' ? undefined : intervalId };
  return (await getJson<{ landscapes: readonly Landscape[] }>('datavisual/landscape/landscapes', query)).landscapes;
}
