import { onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import type { ReductionCommand, ReductionMessage, ReductionRequest } from './reduction';

export interface Reduction {
  /** x, y, z per point, NaN: no position; null: no result yet. Changes while it runs. */
  readonly points: ShallowRef<Float32Array | null>;
  /** From 0 to 1; null: not running. */
  readonly progress: Ref<number | null>;
  /** In both numbers of dimensions, until resumed or until something else is reduced. */
  readonly paused: Ref<boolean>;
  readonly failure: Ref<string>;
  readonly togglePause: () => void;
}

interface Run {
  readonly worker: Worker;
  share: number;
  points: Float32Array | null;
}

/** Up to so many points, the other number of dimensions is computed ahead: it takes seconds. */
const MOST_AHEAD = 2_000;

const keyOf = ({ method, dimensions, neighbours }: ReductionRequest): string =>
  [method, dimensions, neighbours].join(' ');

/**
 * Reduces in workers. Results for the same vectors are kept, and a switch between 2D and 3D stops
 * nothing, so that it goes back and forth at once. Other changes cancel what is running.
 */
export function useReduction(request: () => ReductionRequest | null): Reduction {
  const points = shallowRef<Float32Array | null>(null);
  const progress = ref<number | null>(null);
  const paused = ref(false);
  const failure = ref('');
  let results = new Map<string, Float32Array>();
  let vectors: unknown = null;
  const runs = new Map<string, Run>();
  let wanted: ReductionRequest | null = null;

  function endAll(): void {
    for (const { worker } of runs.values()) worker.terminate();
    runs.clear();
    paused.value = false;
  }

  function show(): void {
    const key = wanted && keyOf(wanted);
    const run = key === null ? undefined : runs.get(key);
    points.value = (key === null ? null : results.get(key)) ?? run?.points ?? null;
    progress.value = run?.share ?? null;
  }

  function start(asked: ReductionRequest): void {
    const key = keyOf(asked);
    if (results.has(key) || runs.has(key)) return;
    const worker = new Worker(new URL('./reduction.worker.ts', import.meta.url), {
      type: 'module',
    });
    const run: Run = { worker, share: 0, points: null };
    runs.set(key, run);

    function hear(message: ReductionMessage): void {
      const isShown = wanted !== null && keyOf(wanted) === key;
      if (message.kind === 'progress') {
        run.share = message.share;
        run.points = message.points ?? run.points;
      } else {
        worker.terminate();
        runs.delete(key);
        if (runs.size === 0) paused.value = false;
        if (message.kind === 'points') results.set(key, message.points);
        else if (isShown) failure.value = message.reason;
      }
      if (!isShown) return;
      show();
      if (message.kind === 'points' && asked.vectors.count <= MOST_AHEAD)
        start({ ...asked, dimensions: asked.dimensions === 2 ? 3 : 2 });
    }

    worker.addEventListener('message', ({ data }: MessageEvent<ReductionMessage>) => hear(data));
    worker.addEventListener('error', (event) => hear({ kind: 'failed', reason: event.message }));
    tell(worker, { kind: 'start', request: asked });
    // It stops at its first positions, so that there is something to see.
    if (paused.value) tell(worker, { kind: 'pause' });
  }

  const tell = (worker: Worker, command: ReductionCommand): void => worker.postMessage(command);

  function togglePause(): void {
    paused.value = !paused.value;
    for (const { worker } of runs.values())
      tell(worker, { kind: paused.value ? 'pause' : 'resume' });
  }

  watch(
    request,
    (next) => {
      const before = wanted;
      wanted = next;
      failure.value = '';
      if (next && next.vectors !== vectors) {
        results = new Map();
        vectors = next.vectors;
      }
      const isSwitch =
        next?.vectors === before?.vectors &&
        next?.method === before?.method &&
        next?.neighbours === before?.neighbours;
      if (!isSwitch) endAll();
      if (next) start(next);
      show();
    },
    { immediate: true },
  );
  onScopeDispose(endAll);
  return { points, progress, paused, failure, togglePause };
}
