import type { Tile } from '@/cards/tile';

import AudioCard from './AudioCard.vue';

import { audioState } from './page_state';

export const tile: Tile = {
  shownAs: () => audioState.cards(['clip']),
  card: AudioCard,
};
