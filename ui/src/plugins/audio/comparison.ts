import type { Comparison } from '@/cards/comparison';

import AudioCard from './AudioCard.vue';
import { audioState } from './page_state';

export const comparison: Comparison = {
  shownAs: () => audioState.cards(['clip', 'loop', 'rate']),
  card: AudioCard,
  height: 200,
};
