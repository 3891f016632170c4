import type { Tile } from '@/cards/tile';

import { logging } from './logging';
import MeshCard from './MeshCard.vue';
import { meshName } from './mesh_name';
import { meshState } from './page_state';

export const tile: Tile = {
  shownAs: () => meshState.cards(['sample', 'as']),
  logging,
  card: MeshCard,
  nameOf: meshName,
};
