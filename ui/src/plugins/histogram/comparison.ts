import type { Comparison } from '@/cards/comparison';

import HistogramCard from './HistogramCard.vue';
import { histogramState } from './page_state';

export const comparison: Comparison = {
  shownAs: () => histogramState.cards(['mode', 'x', 'bins', 'rows', 'tables', 'zoom']),
  card: HistogramCard,
  height: 300,
  along: true,
};
