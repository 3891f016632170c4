import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'curves',
  title: { en: 'PR / ROC', zh: 'PR / ROC 曲线' },
  place: 'distributions',
  icon: 'M3.5 16.5v-13M3.5 16.5h13M5.5 14c.5-6 3-8.5 10-9',
  order: 80,
  data: ['pr_curve', 'roc_curve'],
  cardOf: (tag) => tag,
  view: () => import('./CurvesPage.vue'),
};
