import type { Range } from '@/charts/line';

export interface Stop {
  readonly step: number;
  readonly window: Range;
}

/** Steps with events in order, each once, with the window of the first event there. */
export function stopsOf(events: readonly Stop[]): readonly Stop[] {
  const byStep = new Map<number, Stop>();
  for (const event of events) if (!byStep.has(event.step)) byStep.set(event.step, event);
  return [...byStep.values()].sort((a, b) => a.step - b.step);
}

/** The stop after or before the last visited step, around the end; null if there is none. */
export function nextStop(stops: readonly Stop[], from: number | null, by: 1 | -1): Stop | null {
  if (by === 1) return stops.find(({ step }) => from === null || step > from) ?? stops[0] ?? null;
  return (
    stops.findLast(({ step }) => from === null || step < from) ?? stops[stops.length - 1] ?? null
  );
}
