import {
  observeElementRect,
  useVirtualizer,
  type Rect,
  type Virtualizer,
} from '@tanstack/vue-virtual';
import { computed, ref, type Ref } from 'vue';

/** A row near the view, and where it begins below the first. */
export interface PlacedRow {
  readonly index: number;
  readonly top: number;
}

export interface VirtualRowsOptions {
  /** How many rows beyond the view are kept. */
  readonly beyond?: number;
  /** How high the head is that stays above the rows, in CSS pixels. */
  readonly head?: number;
  /**
   * Is told how wide the element is, from when it is there: heights may depend on it. How wide it will
   * be, if that is known before: then its rows are there at once, as if it were as high as the window.
   */
  readonly width?: Ref<number>;
}

/** The rows of a scrolled element that are near its view, and where they stand. */
export function useVirtualRows(
  scroller: Readonly<Ref<HTMLElement | null>>,
  heights: () => readonly number[],
  { beyond = 8, head = 0, width = ref(0) }: VirtualRowsOptions = {},
) {
  const expected = { width: width.value, height: width.value > 0 ? window.innerHeight : 0 };
  const virtualizer = useVirtualizer(
    computed(() => {
      const sizes = heights();
      return {
        count: sizes.length,
        estimateSize: (index: number) => sizes[index] ?? 0,
        // Another function than before has all rows laid out anew: their heights may be others.
        getItemKey: (index: number) => index,
        getScrollElement: () => scroller.value,
        initialRect: expected,
        observeElementRect: (
          instance: Virtualizer<HTMLElement, HTMLElement>,
          changed: (rect: Rect) => void,
        ) =>
          observeElementRect(instance, (rect) => {
            width.value = rect.width;
            changed(rect);
          }),
        overscan: beyond,
        scrollMargin: head,
        scrollPaddingStart: head,
      };
    }),
  );

  const items = computed(() => virtualizer.value.getVirtualItems());
  const visible = computed<readonly PlacedRow[]>(() =>
    items.value.map(({ index, start }) => ({ index, top: start - head })),
  );
  const total = computed(() => virtualizer.value.getTotalSize());
  /** Heights of what is left out above and below. */
  const above = computed(() => visible.value[0]?.top ?? 0);
  const below = computed(() => total.value - ((items.value.at(-1)?.end ?? head) - head));

  /** Scroll just as far as this row needs to be seen. */
  function reveal(index: number): void {
    virtualizer.value.scrollToIndex(index, { align: 'auto' });
  }

  return { visible, total, above, below, reveal };
}
