import {
  observeElementRect,
  useVirtualizer,
  type Rect,
  type Virtualizer,
} from '@tanstack/vue-virtual';
import { computed, ref, type Ref } from 'vue';

import { printing } from '@/paper/printing';

/** On paper. More would take minutes and hundreds of pages. */
const MOST_PRINTED = 2_000;

export interface VirtualRowsOptions {
  readonly beyond?: number;
  readonly head?: number;
  /** Whether paper shows all rows. */
  readonly printed?: boolean;
  /** The element's width; an initial value renders rows before it is measured. */
  readonly width?: Ref<number>;
}

interface Placed<Row> {
  readonly row: Row;
  readonly index: number;
  readonly top: number;
}

/** The rows near the viewport, of a list which may create them on demand. */
export function useVirtualRows<Row>(
  scroller: Readonly<Ref<HTMLElement | null>>,
  rows: () => { readonly length: number; readonly at: (index: number) => Row | undefined },
  heightOf: (index: number) => number,
  { beyond = 8, head = 0, width = ref(0), printed = true }: VirtualRowsOptions = {},
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
  const visible = computed(() => (printed && printing.value ? onPaper() : onScreen()));
  const onScreen = (): readonly Placed<Row>[] =>
    items.value.flatMap(({ index, start }) => {
      const row = rows().at(index);
      return row === undefined ? [] : [{ row, index, top: start - head }];
    });
  function onPaper(): readonly Placed<Row>[] {
    let top = 0;
    return Array.from(
      { length: Math.min(MOST_PRINTED, rows().length) },
      (_, index) => index,
    ).flatMap((index) => {
      const row = rows().at(index);
      const at = top;
      top += heightOf(index);
      return row === undefined ? [] : [{ row, index, top: at }];
    });
  }
  const total = computed(() => virtualizer.value.getTotalSize());
  const above = computed(() => visible.value[0]?.top ?? 0);
  const below = computed(() =>
    printing.value ? 0 : total.value - ((items.value.at(-1)?.end ?? head) - head),
  );

  const reveal = (index: number): void => virtualizer.value.scrollToIndex(index, { align: 'auto' });

  return { visible, total, above, below, reveal };
}
