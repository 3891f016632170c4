import type { Previews } from '@/cards/preview';

import TextPreview from './TextPreview.vue';

export const previews: Previews = {
  text: { title: { en: 'Text', zh: '文本' }, view: TextPreview, most: 2 },
};
