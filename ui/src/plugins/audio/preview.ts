import type { Previews } from '@/cards/preview';

import AudioPreview from './AudioPreview.vue';

export const previews: Previews = {
  audio: { title: { en: 'Audio', zh: '音频' }, view: AudioPreview, most: 2 },
};
