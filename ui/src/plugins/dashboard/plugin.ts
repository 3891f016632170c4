import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'dashboard',
  title: { en: 'Dashboard', zh: '训练看板' },
  icon: 'M3.5 3.5H9V9H3.5zM11 3.5h5.5v3H11zM11 9h5.5v7.5H11zM3.5 11.5H9v5H3.5z',
  order: 5,
  data: [],
  view: () => import('./DashboardPage.vue'),
};
