import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'lineage',
  title: { en: 'Lineage', zh: '溯源' },
  icon: 'lineage',
  order: 130,
  data: [],
  facts: true,
  wide: true,
  view: () => import('./lineage/LineagePage.vue'),
};
