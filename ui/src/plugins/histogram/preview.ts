import type { Previews } from '@/cards/preview';

import HistogramPreview from './HistogramPreview.vue';

export const previews: Previews = {
  histogram: {
    title: { en: 'Histograms', zh: '直方图' },
    view: HistogramPreview,
    most: 4,
    layout: 'halves',
  },
};
