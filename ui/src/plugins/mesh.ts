import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'mesh',
  title: { en: 'Mesh', zh: '网格' },
  icon: 'mesh',
  order: 90,
  view: () => import('./mesh/MeshPage.vue'),
};
