import type { Previews } from '@/cards/preview';

import ConfigPreview from './ConfigPreview.vue';

export const previews: Previews = {
  hparams: { title: { en: 'Hyperparameters', zh: '超参数' }, view: ConfigPreview, most: null },
};
