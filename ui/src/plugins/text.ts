import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'text',
  title: { en: 'Text', zh: '文本' },
  icon: 'text',
  order: 60,
  cardOf: (tag) => tag,
  view: () => import('./text/TextPage.vue'),
};
