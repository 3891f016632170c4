import type { Previews } from '@/cards/preview';

import TensorPreview from './TensorPreview.vue';

export const previews: Previews = {
  tensor: { title: { en: 'Tensors', zh: '张量' }, view: TensorPreview, most: 6 },
};
