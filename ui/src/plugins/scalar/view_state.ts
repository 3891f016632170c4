import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';

import { parsePattern } from '@/base/pattern';
import type { Range, ValueAxis } from '@/charts/line';

import type { Centre, SmoothingKind, Spread } from './view_url';

/** The controls of the scalars page; all of it is in the URL. */
export const useScalarView = defineStore('scalar_view', () => {
  const tagFilter = ref('');
  const xAxis = ref<ValueAxis>('step');
  /** The tag whose values are the x axis, where that is `value`. */
  const xTag = ref('');
  const smoothing = ref(0);
  const smoothingKind = ref<SmoothingKind>('ema');
  const logX = ref(false);
  const logY = ref(false);
  /** Whether the y axis leaves out the outermost values. */
  const clip = ref(false);
  const zoom = shallowRef<Range | null>(null);
  /** What is looked at while a chart is being panned; it becomes the zoom in the end. */
  const panned = shallowRef<Range | null>(null);
  /** The field by whose value jobs are put together; `*`: all of them; empty: each for itself. */
  const group = ref('');
  const centre = ref<Centre>('mean');
  const spread = ref<Spread>('std');
  /** Tags of the charts that stand first, and expressions of the charts that people made. */
  const pins = shallowRef<readonly string[]>([]);
  const charts = shallowRef<readonly string[]>([]);
  /** The tag whose card is enlarged. */
  const large = ref<string | null>(null);
  /** Keys of the cards that are read as tables. */
  const tables = shallowRef<readonly string[]>([]);
  /** Sections that are folded. */
  const folded = shallowRef<ReadonlySet<string>>(new Set());

  const pattern = computed(() => parsePattern(tagFilter.value));

  // A range of steps means nothing on an axis of times.
  watch(xAxis, () => (zoom.value = null), { flush: 'sync' });

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
    panned,
    group,
    centre,
    spread,
    pins,
    charts,
    large,
    tables,
    folded,
    pattern,
    fold,
    pin,
  };
});
