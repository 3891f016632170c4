import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'audio',
  title: { en: 'Audio', zh: '音频' },
  place: 'media',
  icon: 'M3 8.5v3M6.5 6v8M10 3.5v13M13.5 6v8M17 8.5v3',
  order: 70,
  parts: ['audio_labels'],
  cardOf: (tag) => tag,
  compares: true,
  view: () => import('./AudioPage.vue'),
};
