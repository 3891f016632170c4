import { onScopeDispose, watch, type Ref } from 'vue';

import type { Size } from '@/base/shapes';

import { placeOf, placeText, type Viewport } from './viewport';

/** Milliseconds without movement before the view is written. */
const RESTED = 300;

export interface Looked {
  readonly view: Ref<Viewport>;
  readonly screen: Ref<Size>;
  readonly at: Ref<string>;
}

/**
 * Write the view to `at` when it rests, if the user has `touched` it, and follow changes of `at`;
 * null goes to the initial view.
 */
export function usePlace(
  { view, screen, at }: Looked,
  touched: () => boolean,
  go: (place: Viewport | null, screen: Size) => void,
): { look: (size: Size) => void } {
  /** The text last written or read: the view itself is more exact. */
  let told = '';
  let resting: ReturnType<typeof setTimeout> | undefined;

  function look(size: Size): void {
    if (at.value === told || size.width === 0) return;
    told = at.value;
    clearTimeout(resting);
    go(placeOf(at.value, size), size);
  }

  watch(at, () => look(screen.value));
  watch(view, () => {
    clearTimeout(resting);
    if (touched())
      resting = setTimeout(() => (at.value = told = placeText(view.value, screen.value)), RESTED);
  });
  onScopeDispose(() => clearTimeout(resting));
  return { look };
}
