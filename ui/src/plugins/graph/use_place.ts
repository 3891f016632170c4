import { onScopeDispose, watch, type Ref } from 'vue';

import type { Size } from '@/base/shapes';

import { placeOf, placeText, type Viewport } from './viewport';

/** Milliseconds without movement before the view is written. */
const REST_MS = 300;

/** Writes the view to `at` when it rests, once `touched`, and follows `at`; null: initial view. */
export function usePlace(
  { view, screen, at }: { view: Ref<Viewport>; screen: Ref<Size>; at: Ref<string> },
  touched: () => boolean,
  go: (place: Viewport | null, screen: Size) => void,
): { look: (size: Size) => void } {
  /** The text last written or read: the view itself is more exact. */
  let current = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  function look(size: Size): void {
    if (at.value === current || size.width === 0) return;
    current = at.value;
    clearTimeout(timer);
    go(placeOf(at.value, size), size);
  }

  watch(at, () => look(screen.value));
  watch(view, () => {
    clearTimeout(timer);
    if (touched())
      timer = setTimeout(() => (at.value = current = placeText(view.value, screen.value)), REST_MS);
  });
  onScopeDispose(() => clearTimeout(timer));
  return { look };
}
