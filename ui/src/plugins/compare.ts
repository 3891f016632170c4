import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'compare',
  title: { en: 'Compare', zh: '对比' },
  icon: 'compare',
  order: 20,
  data: [],
  borrows: ['scalar', 'image', 'text', 'audio', 'histogram'],
  view: () => import('./compare/ComparePage.vue'),
};
