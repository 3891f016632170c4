import { paths } from '@/icons/paths';

import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'data_lineage',
  title: { en: 'Data lineage', zh: '数据溯源' },
  place: 'model',
  icon: paths.dataset,
  order: 130,
  data: [],
  has: ({ lineage_files: files }) => files > 0,
  // A view of the page of parameters.
  formerly: {
    lineage: ({ view, dataset, runs, filter }) =>
      view === 'data' ? { dataset, runs, filter } : null,
  },
  view: () => import('./DataLineagePage.vue'),
};
