import type { Tile } from '@/cards/tile';

import TextCard from './TextCard.vue';

import { textState } from './page_state';

export const tile: Tile = {
  shownAs: () => textState.cards([]),
  card: TextCard,
};
