import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'curves',
  title: { en: 'Curves', zh: '曲线' },
  icon: 'curves',
  order: 80,
  data: ['pr_curve', 'roc_curve'],
  cardOf: (tag) => tag,
  view: () => import('./curves/CurvesPage.vue'),
};
