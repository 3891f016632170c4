import { computed, onBeforeUnmount, ref, watch, type Ref } from 'vue';

import { rowTops, visibleRows } from '@/base/virtual_rows';

/** The rows of a scrolled element that are near its view, and where they stand. */
export function useVirtualRows(
  scroller: Readonly<Ref<HTMLElement | null>>,
  heights: () => readonly number[],
  /** How far beyond the view rows are kept, in heights of the view. */
  beyond = 0.5,
) {
  const top = ref(0);
  const height = ref(0);
  const width = ref(0);
  const tops = computed(() => rowTops(heights()));

  const window = computed(() => {
    const reach = height.value * beyond;
    const [first, end] = visibleRows(tops.value, top.value - reach, top.value + height.value + reach);
    return { first, end };
  });

  const visible = computed(() =>
    Array.from({ length: window.value.end - window.value.first }, (_, i) => ({
      index: window.value.first + i,
      top: tops.value[window.value.first + i] ?? 0,
    })),
  );

  const total = computed(() => tops.value[tops.value.length - 1] ?? 0);

  function scrolled(): void {
    top.value = scroller.value?.scrollTop ?? 0;
  }

  const observer = new ResizeObserver(([entry]) => {
    height.value = entry?.contentRect.height ?? 0;
    width.value = entry?.contentRect.width ?? 0;
    scrolled();
  });

  watch(
    scroller,
    (element, before) => {
      before?.removeEventListener('scroll', scrolled);
      observer.disconnect();
      if (!element) return;
      element.addEventListener('scroll', scrolled, { passive: true });
      observer.observe(element);
      height.value = element.clientHeight;
      width.value = element.clientWidth;
      scrolled();
    },
    { immediate: true, flush: 'post' },
  );

  onBeforeUnmount(() => {
    observer.disconnect();
    scroller.value?.removeEventListener('scroll', scrolled);
  });

  return { visible, total, width, tops };
}
