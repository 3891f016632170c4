import type { Plugin } from './plugin';

export const plugin: Plugin = {
  name: 'histogram',
  title: { en: 'Histograms', zh: '直方图' },
  short: { en: 'Histogram', zh: '直方图' },
  icon: 'histogram',
  order: 30,
  data: ['histogram', 'tensor'],
  cardOf: (tag) => tag,
  view: () => import('./histogram/HistogramPage.vue'),
};
