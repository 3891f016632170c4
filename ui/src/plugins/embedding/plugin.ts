import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'embedding',
  title: { en: 'Embeddings', zh: '嵌入' },
  short: { en: 'Embed', zh: '嵌入' },
  icon: 'M5.4 13a.9.9 0 1 1-1.8 0 .9.9 0 0 1 1.8 0zM8.9 8.5a.9.9 0 1 1-1.8 0 .9.9 0 0 1 1.8 0zM13.4 11.5a.9.9 0 1 1-1.8 0 .9.9 0 0 1 1.8 0zM15.9 6a.9.9 0 1 1-1.8 0 .9.9 0 0 1 1.8 0zM10.4 15.5a.9.9 0 1 1-1.8 0 .9.9 0 0 1 1.8 0zM6.4 4.5a.9.9 0 1 1-1.8 0 .9.9 0 0 1 1.8 0zM16.4 15a.9.9 0 1 1-1.8 0 .9.9 0 0 1 1.8 0z',
  order: 100,
  cardOf: (tag) => tag,
  view: () => import('./EmbeddingPage.vue'),
};
