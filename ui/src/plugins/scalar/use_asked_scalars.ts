import { onScopeDispose, watch } from 'vue';

import { useScalars } from '@/store/scalars';

import { useScalarView } from './view_state';
import { smoothingText } from './view_url';

/** Milliseconds of rest on the way of a pan: the question of each pixel is not asked. */
const RESTED = 150;
/** Milliseconds of rest of the slider of the smoothing, likewise. */
const SLID = 120;

/**
 * What charts are zoomed into is asked for in full, what is their x axis, and how they are
 * smoothed, for as long as the calling scope lives: by every page that shows them, as each gives
 * it up when it is left.
 */
export function useAskedScalars(): void {
  const scalars = useScalars();
  const view = useScalarView();
  let resting: ReturnType<typeof setTimeout> | undefined;
  let sliding: ReturnType<typeof setTimeout> | undefined;

  watch(
    () => [view.zoom, view.xAxis] as const,
    ([zoom, axis]) => {
      scalars.window = zoom === null ? null : { axis, from: zoom[0], to: zoom[1] };
    },
    { immediate: true },
  );
  watch(
    () => (view.xAxis === 'value' ? view.xTag : null),
    (tag) => (scalars.xTag = tag),
    { immediate: true },
  );
  scalars.smoothing = smoothingText(view);
  watch(
    () => smoothingText(view),
    (text) => {
      clearTimeout(sliding);
      sliding = setTimeout(() => (scalars.smoothing = text), SLID);
    },
  );
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
    clearTimeout(sliding);
    view.panned = null;
    scalars.window = null;
    scalars.xTag = null;
    scalars.smoothing = '';
  });
}
