import type { Comparison } from '@/cards/comparison';

import { textState } from './page_state';
import TextCard from './TextCard.vue';

export const comparison: Comparison = {
  shownAs: () => textState.cards(['show']),
  card: TextCard,
  height: 260,
};
