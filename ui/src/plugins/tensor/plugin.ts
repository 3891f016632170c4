import { paths } from '@/icons/paths';

import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'tensor',
  title: { en: 'Tensors', zh: '张量' },
  place: 'distributions',
  icon: paths.grid,
  order: 50,
  cardOf: (tag) => tag,
  view: () => import('./TensorPage.vue'),
};
