import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'tensor',
  title: { en: 'Tensors', zh: '张量' },
  icon: 'tensor',
  order: 50,
  cardOf: (tag) => tag,
  borrows: ['histogram'],
  view: () => import('./tensor/TensorPage.vue'),
};
