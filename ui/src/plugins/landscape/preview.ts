import type { Previews } from '@/cards/preview';

import LandscapePreview from './LandscapePreview.vue';

export const previews: Previews = {
  loss_landscape: {
    title: { en: 'Loss landscape', zh: '损失地形' },
    view: LandscapePreview,
    most: null,
  },
};
