import type { Comparison } from '@/cards/comparison';
import { MOST_DRAWN } from '@/store/selection';

import ComparedScalars from './ComparedScalars.vue';
import ComparedToolbar from './ComparedToolbar.vue';
import { useScalarView } from './view_state';
import { readCharts, writeCharts } from './view_url';

export const comparison: Comparison = {
  shownAs: () => {
    const view = useScalarView();
    return {
      write: () => writeCharts(view),
      read: (query) => readCharts(query, view),
      step: () => [view.zoom, view.zooms],
    };
  },
  view: ComparedScalars,
  toolbar: ComparedToolbar,
  most: MOST_DRAWN,
};
