import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'tensor',
  title: { en: 'Tensors', zh: '张量' },
  icon: 'tensor',
  order: 50,
  cardOf: (tag) => tag,
  view: () => import('./tensor/TensorPage.vue'),
};
