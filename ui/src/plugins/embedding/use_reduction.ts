import { onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import type { ReductionMessage, ReductionRequest } from './reduction';

export interface Reduction {
  /** x, y, z per point, NaN: no position; null: no result yet. */
  readonly points: ShallowRef<Float32Array | null>;
  /** From 0 to 1; null: not running. */
  readonly progress: Ref<number | null>;
  readonly failure: Ref<string>;
}

/** Reduces in a worker, one request at a time: a new request cancels the previous one. */
export function useReduction(request: () => ReductionRequest | null): Reduction {
  const points = shallowRef<Float32Array | null>(null);
  const progress = ref<number | null>(null);
  const failure = ref('');
  let worker: Worker | null = null;

  function end(): void {
    worker?.terminate();
    worker = null;
    progress.value = null;
  }

  function hear(message: ReductionMessage): void {
    if (message.kind === 'progress') {
      progress.value = message.share;
      return;
    }
    if (message.kind === 'points') points.value = message.points;
    else failure.value = message.reason;
    end();
  }

  watch(
    request,
    (wanted) => {
      end();
      points.value = null;
      failure.value = '';
      if (!wanted) return;
      progress.value = 0;
      worker = new Worker(new URL('./reduction.worker.ts', import.meta.url), { type: 'module' });
      worker.addEventListener('message', ({ data }: MessageEvent<ReductionMessage>) => hear(data));
      worker.addEventListener('error', (event) => hear({ kind: 'failed', reason: event.message }));
      worker.postMessage(wanted);
    },
    { immediate: true },
  );
  onScopeDispose(end);
  return { points, progress, failure };
}
