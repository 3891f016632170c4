import { paths } from '@/icons/paths';

import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'hparams',
  title: { en: 'HParams', zh: '超参数' },
  place: 'sweep',
  icon: paths.settings,
  order: 125,
  view: () => import('./HparamsPage.vue'),
};
