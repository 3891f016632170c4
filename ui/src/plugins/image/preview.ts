import type { Previews } from '@/cards/preview';

import ImagePreview from './ImagePreview.vue';

export const previews: Previews = {
  image: { title: { en: 'Images', zh: '图像' }, view: ImagePreview, most: 6, layout: 'tiles' },
};
