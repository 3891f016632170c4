import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'landscape',
  title: { en: 'Loss landscape', zh: '损失景观' },
  place: 'model',
  icon: 'M2.5 16l5-9 3.5 5.5 2.5-4 4 7.5zM14.5 4.5h.1',
  order: 120,
  data: ['loss_landscape'],
  view: () => import('./LandscapePage.vue'),
};
