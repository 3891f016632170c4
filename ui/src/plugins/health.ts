import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'health',
  title: { en: 'Health', zh: '健康' },
  icon: 'health',
  order: 140,
  data: [],
  view: () => import('./health/HealthPage.vue'),
};
