import type { Previews } from '@/cards/preview';

import LandscapePreview from './LandscapePreview.vue';

export const previews: Previews = {
  loss_landscape: {
    title: { en: 'Loss landscape', zh: '损失景观' },
    view: LandscapePreview,
    most: null,
  },
};
