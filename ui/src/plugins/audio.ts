import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'audio',
  title: { en: 'Audio', zh: '音频' },
  icon: 'audio',
  order: 70,
  cardOf: (tag) => tag,
  view: () => import('./audio/AudioPage.vue'),
};
