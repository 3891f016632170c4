import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'image',
  title: { en: 'Images', zh: '图像' },
  place: 'media',
  icon: 'M3 4h14v12H3zM3 13.5l4.5-4 3.5 3 2.5-2 3.5 3M12.9 7.6h.2',
  order: 40,
  cardOf: (tag) => tag,
  compares: true,
  view: () => import('./ImagePage.vue'),
};
