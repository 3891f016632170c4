import { computed, onScopeDispose, ref } from 'vue';

const DURATION = 6;

/** Percent of the path to show: as set, or increasing while playing. */
export function useWalk(state: { until: number }) {
  const at = ref<number | null>(null);
  let frame = 0;

  function stop(): void {
    cancelAnimationFrame(frame);
    if (at.value !== null) state.until = Math.round(at.value);
    at.value = null;
  }

  function play(): void {
    if (at.value !== null) {
      stop();
      return;
    }
    const from = state.until >= 100 ? 0 : state.until;
    const start = performance.now();
    const step = (now: number): void => {
      // Whole percents: painting more often is not visible.
      at.value = Math.min(100, Math.floor(from + ((now - start) / 1000 / DURATION) * 100));
      if (at.value >= 100) stop();
      else frame = requestAnimationFrame(step);
    };
    at.value = from;
    frame = requestAnimationFrame(step);
  }

  onScopeDispose(() => cancelAnimationFrame(frame));
  return {
    until: computed(() => at.value ?? state.until),
    playing: computed(() => at.value !== null),
    play,
  };
}
