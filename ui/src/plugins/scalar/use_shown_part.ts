import { onScopeDispose, watch } from 'vue';

import { useScalars } from '@/store/scalars';

import { useScalarView } from './view_state';

/** Milliseconds of rest on the way of a pan: the question of each pixel is not asked. */
const RESTED = 150;

/**
 * What charts are zoomed into is asked for in full, and what is their x axis, for as long as the
 * calling scope lives: by every page that shows them, as each gives it up when it is left.
 */
export function useShownPart(): void {
  const scalars = useScalars();
  const view = useScalarView();
  let resting: ReturnType<typeof setTimeout> | undefined;

  watch(
    () => [view.zoom, view.xAxis] as const,
    ([zoom, axis]) => {
      scalars.window = zoom === null ? null : { axis, from: zoom[0], to: zoom[1] };
    },
    { immediate: true },
  );
  watch(() => (view.xAxis === 'value' ? view.xTag : null), (tag) => (scalars.xTag = tag), { immediate: true });
  // Whoever rests while panning sees what there is.
  watch(
    () => view.panned,
    (range) => {
      clearTimeout(resting);
      const axis = view.xAxis;
      if (range === null) return;
      resting = setTimeout(() => (scalars.window = { axis, from: range[0], to: range[1] }), RESTED);
    },
  );
  onScopeDispose(() => {
    clearTimeout(resting);
    view.panned = null;
    scalars.window = null;
    scalars.xTag = null;
  });
}
