import { tableFromIPC } from '@uwdata/flechette';

import { getBytes } from './client';
import { contractTag } from './tags';

/** Where a series was taken up again after a restart: the first step of each rewrite. */
export async function fetchRestarts(trainId: string, tag: string): Promise<readonly number[]> {
  const stream = await getBytes('datavisual/scalar/metadata', {
    train_id: trainId,
    tag: contractTag('scalar', tag),
    restarts: 'all',
    format: 'arrow',
  });
  return restartsOfArrow(stream);
}

/**
 * Points come as they were written. Where a step goes back behind a point that was replaced the
 * run was restarted; where it goes back behind one that stands, a point was merely late. Of a
 * reduced series the steps are near the true ones, as near as its points are to each other.
 */
export function restartsOfArrow(stream: Uint8Array): number[] {
  const table = tableFromIPC(stream, { useBigInt: true });
  const step = table.getChild('step');
  const superseded = table.getChild('superseded');
  const restarts: number[] = [];
  for (let i = 1; i < table.numRows; i++) {
    const here = Number(step.at(i));
    if (here < Number(step.at(i - 1)) && superseded.at(i - 1) === true) restarts.push(here);
  }
  return restarts;
}
