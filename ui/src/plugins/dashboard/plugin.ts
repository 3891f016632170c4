import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'dashboard',
  title: { en: 'Run overview', zh: '作业概览' },
  place: 'runs',
  icon: 'M3.5 3.5H9V9H3.5zM11 3.5h5.5v3H11zM11 9h5.5v7.5H11zM3.5 11.5H9v5H3.5z',
  order: 5,
  data: [],
  view: () => import('./DashboardPage.vue'),
};
