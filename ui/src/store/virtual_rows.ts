import {
  observeElementRect,
  useVirtualizer,
  type Rect,
  type Virtualizer,
} from '@tanstack/vue-virtual';
import { computed, ref, type Ref } from 'vue';

export interface VirtualRowsOptions {
  readonly beyond?: number;
  readonly head?: number;
  /** The element's width; an initial value renders rows before it is measured. */
  readonly width?: Ref<number>;
}

/** The rows near the viewport, of a list which may create them on demand. */
export function useVirtualRows<Row>(
  scroller: Readonly<Ref<HTMLElement | null>>,
  rows: () => { readonly length: number; readonly at: (index: number) => Row | undefined },
  heightOf: (index: number) => number,
  { beyond = 8, head = 0, width = ref(0) }: VirtualRowsOptions = {},
) {
  const expected = { width: width.value, height: width.value > 0 ? window.innerHeight : 0 };
  const virtualizer = useVirtualizer(
    computed(() => {
      const sizes = Array.from({ length: rows().length }, (_, index) => heightOf(index));
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
  const visible = computed(() =>
    items.value.flatMap(({ index, start }) => {
      const row = rows().at(index);
      return row === undefined ? [] : [{ row, index, top: start - head }];
    }),
  );
  const total = computed(() => virtualizer.value.getTotalSize());
  const above = computed(() => visible.value[0]?.top ?? 0);
  const below = computed(() => total.value - ((items.value.at(-1)?.end ?? head) - head));

  const reveal = (index: number): void => virtualizer.value.scrollToIndex(index, { align: 'auto' });

  return { visible, total, above, below, reveal };
}
