import type { JobSign } from './use_signs';

/** What happened to several series of a run at the same steps: it is one event. */
export interface SignEvent {
  readonly trainId: string;
  readonly kind: string;
  readonly step: number;
  readonly end_step: number;
  /** One sign of each series, in the order they came. */
  readonly signs: readonly [JobSign, ...JobSign[]];
}

/** Signs of one run, one kind and the same steps together, where the first of them stood. */
export function eventsOf(signs: readonly JobSign[]): SignEvent[] {
  const events = new Map<string, [JobSign, ...JobSign[]]>();
  for (const sign of signs) {
    const key = JSON.stringify([sign.trainId, sign.kind, sign.step, sign.end_step]);
    const known = events.get(key);
    if (known) known.push(sign);
    else events.set(key, [sign]);
  }
  return [...events.values()].map((together) => {
    const [{ trainId, kind, step, end_step }] = together;
    return { trainId, kind, step, end_step, signs: together };
  });
}
