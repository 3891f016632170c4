import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'text',
  title: { en: 'Text', zh: '文本' },
  place: 'media',
  icon: 'M4 5.5V4h12v1.5M10 4v12M8 16h4',
  order: 75,
  cardOf: (tag) => tag,
  compares: true,
  view: () => import('./TextPage.vue'),
};
