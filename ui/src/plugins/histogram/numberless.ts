import { inject, provide, shallowReactive, watch, type InjectionKey } from 'vue';

import type { HistogramSeries } from '@/cards/histogram_layers';

const KEY: InjectionKey<Set<string>> = Symbol('cards of a page whose series hold no numbers');

/** Cards whose series are loaded and hold no numbers, such as tensors of strings. */
export function useNumberlessCards(): ReadonlySet<string> {
  const cards = shallowReactive(new Set<string>());
  provide(KEY, cards);
  return cards;
}

/** Tells the page when a card turns out to have no numbers. */
export function useNumberless(card: () => string, series: () => HistogramSeries | null): void {
  const cards = inject(KEY, null);
  watch(
    series,
    (known) => {
      if (!known) return;
      if (isNumberless(known)) cards?.add(card());
      else cards?.delete(card());
    },
    { immediate: true },
  );
}

/** Damaged steps may hold numbers. */
export const isNumberless = (series: HistogramSeries): boolean =>
  series.step.length > 0 &&
  series.step.every(
    (_, row) =>
      series.buckets[row]?.length === 0 &&
      series.nan_count[row] === 0 &&
      series.positive_infinity_count[row] === 0 &&
      series.negative_infinity_count[row] === 0,
  );
