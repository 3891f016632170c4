import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';

import { parsePattern } from '@/base/pattern';
import type { Range, XAxis } from '@/charts/line';

/** The controls of the scalars page; all of it is in the URL. */
export const useScalarView = defineStore('scalar_view', () => {
  const tagFilter = ref('');
  const xAxis = ref<XAxis>('step');
  const smoothing = ref(0);
  const logX = ref(false);
  const logY = ref(false);
  const zoom = shallowRef<Range | null>(null);
  /** The tag whose card is enlarged. */
  const large = ref<string | null>(null);
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

  return { tagFilter, xAxis, smoothing, logX, logY, zoom, large, folded, pattern, fold };
});
