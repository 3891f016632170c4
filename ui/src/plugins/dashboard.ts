import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'dashboard',
  title: { en: 'Dashboard', zh: '训练看板' },
  icon: 'dashboard',
  order: 5,
  data: [],
  borrows: ['image', 'audio', 'landscape'],
  view: () => import('./dashboard/DashboardPage.vue'),
};
