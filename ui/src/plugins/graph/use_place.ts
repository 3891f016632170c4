import { onScopeDispose, watch, type Ref } from 'vue';

import { placeOf, placeText, type Extent, type Viewport } from './viewport';

/** Milliseconds after which what is moved stands still. */
const RESTED = 300;

/** What a picture is looked at through. */
export interface Looked {
  readonly view: Ref<Viewport>;
  readonly screen: Ref<Extent>;
  /** Where one looks, as links say it; empty: where one looks at first. */
  readonly at: Ref<string>;
}

/**
 * Keeps where one looks as text once it stands still, if somebody has `touched` it, and goes to
 * where the text says: of null to where one looks at first.
 */
export function usePlace(
  { view, screen, at }: Looked,
  touched: () => boolean,
  go: (place: Viewport | null, screen: Extent) => void,
): { look: (size: Extent) => void } {
  /** What was last said, or gone by: the view may be exact where its text is rounded. */
  let told = '';
  let resting: ReturnType<typeof setTimeout> | undefined;

  function look(size: Extent): void {
    if (at.value === told || size.width === 0) return;
    told = at.value;
    clearTimeout(resting);
    go(placeOf(at.value, size), size);
  }

  watch(at, () => {
    look(screen.value);
  });
  watch(view, () => {
    clearTimeout(resting);
    if (touched())
      resting = setTimeout(() => {
        at.value = told = placeText(view.value, screen.value);
      }, RESTED);
  });
  onScopeDispose(() => {
    clearTimeout(resting);
  });
  return { look };
}
