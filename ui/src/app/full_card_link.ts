import { defineComponent } from 'vue';

import { useFullCard } from '@/store/full_card';

/** Renders nothing: keeps the full-screen card in the page's link. One per page. */
export const FullCardLink = defineComponent({
  name: 'FullCardLink',
  setup() {
    useFullCard().follow();
    return () => null;
  },
});
