import type { Tile } from '@/cards/tile';

import AudioCard from './AudioCard.vue';
import { logging } from './logging';
import { audioState } from './page_state';

export const tile: Tile = {
  shownAs: () => audioState.cards(['clip']),
  logging,
  card: AudioCard,
};
