import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'hparams',
  title: { en: 'HParams', zh: '超参数' },
  icon: 'hparams',
  order: 125,
  view: () => import('./hparams/HparamsPage.vue'),
};
