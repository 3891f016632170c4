import { computed, type WritableComputedRef } from 'vue';

import type { CardTexts } from '@/base/url_fields';

import { cardText } from './card_state';

/**
 * Which of a step's samples is shown, from 0. Runs of a tag show the same one; a step with fewer
 * samples shows its last. Without a tag, a link selects the sample of all tags.
 */
export function shownSample<Name extends string>(
  state: Record<Name, CardTexts>,
  name: Name,
  tag: () => string,
  count: () => number,
): WritableComputedRef<number> {
  const own = cardText(state, name, tag);
  const all = cardText(state, name, () => '');
  return computed({
    get: () => {
      const wanted = Math.trunc(Number(own.value || all.value)) || 0;
      return Math.max(0, Math.min(wanted, count() - 1));
    },
    set: (to) => (own.value = to === 0 && all.value === '' ? '' : String(to)),
  });
}
