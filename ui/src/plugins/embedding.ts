import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'embedding',
  title: { en: 'Embeddings', zh: '嵌入' },
  short: { en: 'Embed', zh: '嵌入' },
  icon: 'embedding',
  order: 100,
  cardOf: (tag) => tag,
  view: () => import('./embedding/EmbeddingPage.vue'),
};
