import type { Previews } from '@/cards/preview';

import ScalarPreview from './ScalarPreview.vue';

export const previews: Previews = {
  scalar: { title: { en: 'Scalars', zh: '标量' }, view: ScalarPreview, most: 8 },
};
