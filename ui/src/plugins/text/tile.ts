import type { Tile } from '@/cards/tile';

import TextCard from './TextCard.vue';
import { logging } from './logging';
import { textState } from './page_state';

export const tile: Tile = {
  shownAs: () => textState.cards([]),
  logging,
  card: TextCard,
};
