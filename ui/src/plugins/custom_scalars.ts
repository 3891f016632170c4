import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'custom_scalars',
  title: { en: 'Custom', zh: '自定义' },
  icon: 'custom_scalars',
  order: 15,
  view: () => import('./custom_scalars/CustomScalarsPage.vue'),
};
