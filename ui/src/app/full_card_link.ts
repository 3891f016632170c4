import { defineComponent } from 'vue';

import { useFullCard } from '@/store/full_card';

/** Keeps the card that has the whole screen in a page's link; nothing to see. One of these for each page. */
export const FullCardLink = defineComponent({
  name: 'FullCardLink',
  setup() {
    useFullCard().follow();
    return () => null;
  },
});
