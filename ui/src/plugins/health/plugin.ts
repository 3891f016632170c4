import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'health',
  title: { en: 'Health', zh: '健康' },
  place: 'health',
  icon: 'M2.5 10.5h3.5l2-5.5 3.5 10 2-4.5h4',
  order: 140,
  data: [],
  view: () => import('./HealthPage.vue'),
};
