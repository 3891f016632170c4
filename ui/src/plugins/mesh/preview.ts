import type { Previews } from '@/cards/preview';

import { meshName } from './mesh_name';
import MeshPreview from './MeshPreview.vue';

export const previews: Previews = {
  mesh: { title: { en: 'Meshes', zh: '网格' }, view: MeshPreview, most: 5, nameOf: meshName },
};
