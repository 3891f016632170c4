import type { Tile } from '@/cards/tile';

import ImageCard from './ImageCard.vue';

import { imageState } from './page_state';

export const tile: Tile = {
  shownAs: () => imageState.cards(['sample']),
  card: ImageCard,
};
