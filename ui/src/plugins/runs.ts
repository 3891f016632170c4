import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'runs',
  title: { en: 'Runs', zh: '作业' },
  icon: 'runs',
  order: 0,
  data: [],
  facts: true,
  wide: true,
  view: () => import('./runs/RunsPage.vue'),
};
