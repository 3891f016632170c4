import { computed, onScopeDispose, shallowRef, type ComputedRef } from 'vue';

/** What the open page shows beside the tabs, until it closes: there, nothing moves the cards. */
function pagePart<Part>(none: Part): readonly [ComputedRef<Part>, (get: () => Part) => void] {
  const registered = shallowRef<(() => Part) | null>(null);
  const part = computed(() => registered.value?.() ?? none);
  return [
    part,
    (get) => {
      registered.value = get;
      onScopeDispose(() => {
        // The next page may be open already.
        if (registered.value === get) registered.value = null;
      });
    },
  ];
}

/** The steps of the open page's slider, ascending and distinct; null: the page has none. */
export const [pageSteps, usePageSteps] = pagePart<ArrayLike<number> | null>(null);

interface PageZoom {
  readonly text: string;
  readonly reset: () => void;
}

/** The zooms of the open page's charts, each with a way back. */
export const [pageZooms, usePageZooms] = pagePart<readonly PageZoom[]>([]);
