import type { Previews } from '@/cards/preview';

import HparamsPreview from './HparamsPreview.vue';

export const previews: Previews = {
  hparams: { title: { en: 'Hyper-parameters', zh: '超参' }, view: HparamsPreview, most: null },
};
