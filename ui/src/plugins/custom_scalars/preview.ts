import type { Previews } from '@/cards/preview';

import LayoutPreview from './LayoutPreview.vue';

export const previews: Previews = {
  custom_scalars: {
    title: { en: 'Custom scalars', zh: '自定义标量' },
    view: LayoutPreview,
    most: null,
  },
};
