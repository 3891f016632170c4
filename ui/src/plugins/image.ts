import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'image',
  title: { en: 'Images', zh: '图像' },
  icon: 'image',
  order: 40,
  cardOf: (tag) => tag,
  view: () => import('./image/ImagePage.vue'),
};
