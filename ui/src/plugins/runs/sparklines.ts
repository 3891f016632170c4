import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';

import { ApiError } from '@/api/client';
import { fetchScalars } from '@/api/scalars';

/** A cell is about as wide. */
const POINTS = 80;
/** Milliseconds: rows scroll past, and cells that appear together share a request. */
const SETTLED = 60;
const GROWING = 3_000;
const MOST = 4_000;

interface Wanted {
  readonly trainId: string;
  readonly tag: string;
  /** Of the run: it increases with every change. */
  readonly version: number;
}
interface Curve {
  readonly values: Float64Array;
  readonly version: number;
}

const keyOf = ({ trainId, tag }: Pick<Wanted, 'trainId' | 'tag'>): string => `${trainId}\0${tag}`;

/** Small curves of visible rows, fetched together. */
export function sparklinesFrom(fetch: typeof fetchScalars) {
  const curves = shallowReactive(new Map<string, Curve>());
  const wanted = new Map<string, Wanted>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let busy = false;
  /** Whether the server did not answer the last request. */
  let isAway = false;

  /** Until the returned function is called. */
  function want(one: Wanted): () => void {
    const key = keyOf(one);
    if (curves.get(key)?.version !== one.version) {
      wanted.set(key, one);
      schedule();
    }
    return () => wanted.delete(key);
  }

  function schedule(): void {
    if (busy || wanted.size === 0) return;
    const isNew = !isAway && [...wanted.keys()].some((key) => !curves.has(key));
    clearTimeout(timer);
    timer = setTimeout(() => void fetchWanted(), isNew ? SETTLED : GROWING);
  }

  async function fetchWanted(): Promise<void> {
    const batch = new Map(wanted);
    wanted.clear();
    if (batch.size === 0) return;
    busy = true;
    const cells = [...batch.values()];
    try {
      const { series } = await fetch(
        {
          trainIds: [...new Set(cells.map(({ trainId }) => trainId))],
          tags: [...new Set(cells.map(({ tag }) => tag))],
          maxPoints: POINTS,
        },
        null,
      );
      isAway = false;
      for (const { train_id: trainId, tag, value: values } of series) {
        const key = keyOf({ trainId, tag });
        const version = batch.get(key)?.version;
        if (version !== undefined) keep(key, { values, version });
      }
    } catch (reason) {
      // The last value stays; the next change of a run requests it again.
      if (!(reason instanceof ApiError)) throw reason;
      isAway = reason.unreachable;
      if (isAway) for (const [key, one] of batch) if (!wanted.has(key)) wanted.set(key, one);
    } finally {
      busy = false;
      schedule();
    }
  }

  function keep(key: string, curve: Curve): void {
    curves.delete(key);
    curves.set(key, curve);
    for (const oldest of curves.keys()) {
      if (curves.size <= MOST) break;
      curves.delete(oldest);
    }
  }

  const valuesOf = (trainId: string, tag: string): Float64Array | undefined =>
    curves.get(keyOf({ trainId, tag }))?.values;

  return { want, valuesOf };
}

export const useSparklines = defineStore('sparklines', () => sparklinesFrom(fetchScalars));
