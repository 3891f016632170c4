import type { Range } from '@/charts/line';

interface Walkable {
  readonly places: readonly { readonly step: number; readonly window: Range }[];
}

export interface Stop {
  readonly step: number;
  readonly window: Range;
}

/** Steps with events in order, each once, with the window of the first event there. */
export function stopsOf(events: readonly Walkable[]): readonly Stop[] {
  const byStep = new Map<number, Stop>();
  for (const { places } of events)
    for (const place of places) if (!byStep.has(place.step)) byStep.set(place.step, place);
  return [...byStep.values()].sort((a, b) => a.step - b.step);
}

/** The stop after or before the last visited step, around the end; null if there is none. */
export function nextStop(stops: readonly Stop[], from: number | null, by: 1 | -1): Stop | null {
  if (by === 1) return stops.find(({ step }) => from === null || step > from) ?? stops[0] ?? null;
  return (
    stops.findLast(({ step }) => from === null || step < from) ?? stops[stops.length - 1] ?? null
  );
}
