import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'landscape',
  title: { en: 'Landscape', zh: '损失地形' },
  icon: 'landscape',
  order: 120,
  data: ['loss_landscape'],
  view: () => import('./landscape/LandscapePage.vue'),
};
