import {
  observeElementRect,
  useVirtualizer,
  type Rect,
  type Virtualizer,
} from '@tanstack/vue-virtual';
import { computed, ref, type Ref } from 'vue';

export interface PlacedRow {
  readonly index: number;
  readonly top: number;
}

export interface VirtualRowsOptions {
  readonly beyond?: number;
  readonly head?: number;
  /** The element's width; an initial value renders rows before it is measured. */
  readonly width?: Ref<number>;
}

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
        // A new function would lay out all rows.
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
  const above = computed(() => visible.value[0]?.top ?? 0);
  const below = computed(() => total.value - ((items.value.at(-1)?.end ?? head) - head));

  const reveal = (index: number): void => virtualizer.value.scrollToIndex(index, { align: 'auto' });

  return { visible, total, above, below, reveal };
}
