import { meshName } from './mesh/mesh_name';
import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'mesh',
  title: { en: 'Mesh', zh: '网格' },
  icon: 'mesh',
  order: 90,
  cardOf: meshName,
  view: () => import('./mesh/MeshPage.vue'),
};
