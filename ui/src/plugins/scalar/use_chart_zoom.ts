import { computed, type ComputedRef } from 'vue';

import { ownValue } from '@/base/own_value';
import { rangeOf, rangeText } from '@/base/url_fields';
import type { Range, ValueAxis } from '@/charts/line';

import { useScalarView } from './view_state';

/** The zoom that a chart shares with all charts of its x axis. */
export function useChartZoom(xAxis: ComputedRef<ValueAxis>): {
  zoom: ComputedRef<Range | null>;
  pannedNow: () => Range | null;
  zoomTo: (range: Range | null) => void;
  panTo: (range: Range, done: boolean) => void;
} {
  const view = useScalarView();
  const isApart = computed(() => xAxis.value !== view.xAxis);
  const zoom = computed(() =>
    isApart.value ? rangeOf(ownValue(view.zooms, xAxis.value) ?? '') : view.zoom,
  );

  function zoomTo(range: Range | null): void {
    // A range between two steps would be empty.
    const whole: Range | null =
      range && xAxis.value === 'step' ? [Math.floor(range[0]), Math.ceil(range[1])] : range;
    if (isApart.value) {
      const others = Object.entries(view.zooms).filter(([axis]) => axis !== xAxis.value);
      view.zooms = Object.fromEntries(
        whole ? [...others, [xAxis.value, rangeText(whole)]] : others,
      );
    } else view.zoom = whole;
  }

  function panTo(range: Range, done: boolean): void {
    view.panned = done ? null : { axis: xAxis.value, range };
    if (done) zoomTo(range);
  }

  const pannedNow = (): Range | null =>
    view.panned?.axis === xAxis.value ? view.panned.range : null;

  return { zoom, pannedNow, zoomTo, panTo };
}
