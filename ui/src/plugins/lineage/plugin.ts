import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'lineage',
  title: { en: 'Lineage', zh: '溯源' },
  icon: 'M4 3.5v13M10 3.5v13M16 3.5v13M4 6l6 7 6-8M4 13l6-6 6 7',
  order: 130,
  data: [],
  parts: ['run_facts'],
  facts: true,
  wide: true,
  view: () => import('./LineagePage.vue'),
};
