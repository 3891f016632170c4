import type { Tile } from '@/cards/tile';

import { useCardHeights } from './card_shapes';
import ImageCard from './ImageCard.vue';
import { logging } from './logging';
import { imageState } from './page_state';

export const tile: Tile = {
  shownAs: () => imageState.cards(['sample']),
  logging,
  card: ImageCard,
  heights: useCardHeights,
};
