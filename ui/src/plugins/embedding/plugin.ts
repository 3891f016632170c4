import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'embedding',
  title: { en: 'Projector', zh: '嵌入投影' },
  place: 'model',
  icon: ['5.4 13', '8.9 8.5', '13.4 11.5', '15.9 6', '10.4 15.5', '6.4 4.5', '16.4 15']
    .map((point) => `M${point}a.9.9 0 1 1-1.8 0 .9.9 0 0 1 1.8 0z`)
    .join(''),
  order: 100,
  cardOf: (tag) => tag,
  view: () => import('./EmbeddingPage.vue'),
};
