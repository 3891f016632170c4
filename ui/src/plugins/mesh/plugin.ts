import { meshName } from './mesh_name';
import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'mesh',
  title: { en: 'Mesh', zh: '网格' },
  place: 'media',
  icon: 'M10 3l6.5 3.8v6.4L10 17l-6.5-3.8V6.8zM10 10l6.5-3.2M10 10L3.5 6.8M10 10v7',
  order: 90,
  cardOf: meshName,
  view: () => import('./MeshPage.vue'),
};
