import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'custom_scalars',
  title: { en: 'Custom scalars', zh: '自定义标量' },
  icon: 'scalar',
  order: 15,
  view: () => import('./custom_scalars/CustomScalarsPage.vue'),
};
