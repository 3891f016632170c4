import { onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import type { ReductionCommand, ReductionMessage, ReductionRequest } from './reduction';

export interface Reduction {
  /** x, y, z per point, NaN: no position; null: no result yet. Changes while it runs. */
  readonly points: ShallowRef<Float32Array | null>;
  /** From 0 to 1; null: not running. */
  readonly progress: Ref<number | null>;
  readonly paused: Ref<boolean>;
  readonly failure: Ref<string>;
  readonly togglePause: () => void;
}

interface Run {
  readonly key: string;
  readonly worker: Worker;
}

/**
 * Reduces in a worker, one request at a time: a new request cancels the previous one. Results for
 * the same vectors are kept, so that a switch between 2D and 3D or between methods goes back at once.
 */
export function useReduction(request: () => ReductionRequest | null): Reduction {
  const points = shallowRef<Float32Array | null>(null);
  const progress = ref<number | null>(null);
  const paused = ref(false);
  const failure = ref('');
  let results = new Map<string, Float32Array>();
  let vectors: unknown = null;
  let run: Run | null = null;

  function end(): void {
    run?.worker.terminate();
    run = null;
    progress.value = null;
    paused.value = false;
  }

  function hear(message: ReductionMessage): void {
    if (message.kind === 'progress') {
      progress.value = message.share;
      if (message.points) points.value = message.points;
      return;
    }
    if (message.kind === 'points') {
      points.value = message.points;
      if (run) results.set(run.key, message.points);
    } else failure.value = message.reason;
    end();
  }

  const tell = (command: ReductionCommand): void => run?.worker.postMessage(command);

  function togglePause(): void {
    paused.value = !paused.value;
    tell({ kind: paused.value ? 'pause' : 'resume' });
  }

  watch(
    request,
    (wanted) => {
      end();
      failure.value = '';
      if (wanted && wanted.vectors !== vectors) {
        results = new Map();
        vectors = wanted.vectors;
      }
      const key = wanted ? [wanted.method, wanted.dimensions, wanted.neighbours].join(' ') : '';
      points.value = results.get(key) ?? null;
      if (!wanted || points.value) return;
      progress.value = 0;
      const worker = new Worker(new URL('./reduction.worker.ts', import.meta.url), {
        type: 'module',
      });
      worker.addEventListener('message', ({ data }: MessageEvent<ReductionMessage>) => hear(data));
      worker.addEventListener('error', (event) => hear({ kind: 'failed', reason: event.message }));
      run = { key, worker };
      tell({ kind: 'start', request: wanted });
    },
    { immediate: true },
  );
  onScopeDispose(end);
  return { points, progress, paused, failure, togglePause };
}
