import { getJson, orNothing } from './client';

/** Series that were taken up again after restarts. */
export interface Restarts {
  readonly train_id: string;
  /** As logged. */
  readonly tag: string;
  /** The first step of each rewrite, ascending. */
  readonly step: readonly number[];
}

/** Restarts of jobs x tags; series without any are left out. */
export async function fetchRestarts(trainIds: readonly string[], tags: readonly string[]): Promise<readonly Restarts[]> {
  const answer = getJson<{ restarts: readonly Restarts[] }>('datavisual/scalars/restarts', { train_id: trainIds, tag: tags });
  return (await orNothing(answer))?.restarts ?? [];
}
