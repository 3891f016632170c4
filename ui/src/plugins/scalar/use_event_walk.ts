import { computed, watch } from 'vue';

import { useAnomalies } from '@/store/anomalies';
import { useShortcuts } from '@/store/shortcuts';

import { nextStop, stopsOf } from './event_walk';
import { useScalarView } from './view_state';

/** `n` and `p` zoom all charts to the next and previous event of a rule. */
export function useEventWalk(): void {
  const view = useScalarView();
  const anomalies = useAnomalies();
  const stops = computed(() => stopsOf(anomalies.all));
  let visited: number | null = null;
  watch(stops, () => (visited = null));

  function walk(by: 1 | -1): void {
    const stop = nextStop(stops.value, visited, by);
    if (stop === null) return;
    visited = stop.step;
    view.xAxis = 'step';
    view.zoom = stop.window;
  }
  useShortcuts({ n: () => walk(1), p: () => walk(-1) });
}
