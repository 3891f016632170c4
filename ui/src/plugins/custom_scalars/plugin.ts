import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'custom_scalars',
  title: { en: 'Layouts', zh: '布局' },
  place: 'charts',
  icon: 'M3 4h14v12H3zM5.8 12.2l2.7-3.4 2.6 1.7 3.1-4',
  order: 15,
  view: () => import('./CustomScalarsPage.vue'),
};
