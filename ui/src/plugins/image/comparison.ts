import type { Comparison } from '@/cards/comparison';

import ImageCard from './ImageCard.vue';
import { imageState } from './page_state';

export const comparison: Comparison = {
  shownAs: () => imageState.cards(['brightness', 'contrast', 'actual', 'sample']),
  card: ImageCard,
  height: 300,
};
