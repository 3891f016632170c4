import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';

import { parsePattern } from '@/base/pattern';
import type { CardTexts } from '@/base/url_fields';
import type { Range, ValueAxis } from '@/charts/line';
import { useRunOrder } from '@/store/run_order';

import { SMOOTHING_KINDS, type Centre, type SmoothingKind, type Spread } from './view_url';

export interface BegunChart {
  /** Empty: a chart from scratch. */
  readonly text: string;
  readonly tags: readonly string[];
}

/** Settings of the scalars page, all in the URL. */
export const useScalarView = defineStore('scalar_view', () => {
  const order = useRunOrder();
  const tagFilter = ref('');
  const xAxis = ref<ValueAxis>('step');
  const xTag = ref('');
  const smoothing = ref(0);
  const smoothingKind = ref<SmoothingKind>(SMOOTHING_KINDS[0]);
  const logX = ref(false);
  const logY = ref(false);
  const clip = ref(false);
  const zoom = shallowRef<Range | null>(null);
  /** By x axis, of charts with another one than the page. */
  const zooms = shallowRef<CardTexts>({});
  /** The range during a pan; it becomes the zoom at its end. */
  const panned = shallowRef<{ readonly axis: ValueAxis; readonly range: Range } | null>(null);
  const centre = ref<Centre>('mean');
  const spread = ref<Spread>('std');
  /** Tags of pinned charts, and texts of custom charts. */
  const pins = shallowRef<readonly string[]>([]);
  const charts = shallowRef<readonly string[]>([]);
  /** What the dialog for a new chart begins with; null: it is closed. */
  const begun = shallowRef<BegunChart | null>(null);
  const large = ref<string | null>(null);
  const tables = shallowRef<readonly string[]>([]);
  const settings = shallowRef<CardTexts>({});
  const folded = shallowRef<ReadonlySet<string>>(new Set());

  const isGrouped = computed(() => order.by.length > 0 && xAxis.value !== 'value');

  const pattern = computed(() => parsePattern(tagFilter.value));

  // A range of steps is meaningless on an axis of times.
  watch(xAxis, () => (zoom.value = null), { flush: 'sync' });

  function resetZoom(): void {
    zoom.value = null;
    zooms.value = {};
  }

  function fold(section: string): void {
    const next = new Set(folded.value);
    if (!next.delete(section)) next.add(section);
    folded.value = next;
  }

  function pin(tag: string): void {
    pins.value = pins.value.includes(tag)
      ? pins.value.filter((one) => one !== tag)
      : [...pins.value, tag];
  }

  /** With another text in place of an earlier one, if there is one. */
  function addChart(text: string, instead = ''): void {
    charts.value = [...charts.value.filter((one) => one !== instead && one !== text), text];
    begun.value = null;
  }

  return {
    tagFilter,
    xAxis,
    xTag,
    smoothing,
    smoothingKind,
    logX,
    logY,
    clip,
    zoom,
    zooms,
    resetZoom,
    panned,
    isGrouped,
    centre,
    spread,
    pins,
    charts,
    begun,
    addChart,
    large,
    tables,
    settings,
    folded,
    pattern,
    fold,
    pin,
  };
});
